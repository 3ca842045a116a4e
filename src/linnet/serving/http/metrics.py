"""Counts requests, documents and seconds for Prometheus; nothing of a text is kept."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock

__all__ = ["MEDIA_TYPE", "Metrics"]

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)  # seconds


@dataclass
class Metrics:
    """Counters of one process."""

    requests: Counter[tuple[str, int]] = field(default_factory=Counter)  # by route and status
    documents: Counter[str] = field(default_factory=Counter)  # by model
    characters: Counter[str] = field(default_factory=Counter)
    cancelled: int = 0
    _seconds: Counter[float] = field(default_factory=Counter)
    _sum: float = 0.0
    _lock: Lock = field(default_factory=Lock)

    def count_request(self, route: str, status: int, seconds: float) -> None:
        """Count an answer."""
        with self._lock:
            self.requests[route, status] += 1
            self._sum += seconds
            self._seconds[next((bound for bound in BOUNDS if seconds <= bound), float("inf"))] += 1

    def count_documents(self, model: str, number: int, characters: int) -> None:
        """Count documents or texts that a model has answered."""
        with self._lock:
            self.documents[model] += number
            self.characters[model] += characters

    def as_text(self, gauges: Mapping[str, Mapping[str, float]]) -> str:
        """Return all counters in Prometheus' text format.

        Args:
            gauges: current values by model, by the name of the metric.
        """
        with self._lock:
            lines = [
                "# HELP linnet_requests_total Answers by route and status.",
                "# TYPE linnet_requests_total counter",
                *(
                    f'linnet_requests_total{{route="{route}",status="{status}"}} {number}'
                    for (route, status), number in sorted(self.requests.items())
                ),
                *_by_model("linnet_documents_total", "Documents and texts answered.", "counter", self.documents),
                *_by_model("linnet_characters_total", "Characters of them.", "counter", self.characters),
                "# HELP linnet_cancelled_total Requests that the client has given up.",
                "# TYPE linnet_cancelled_total counter",
                f"linnet_cancelled_total {self.cancelled}",
                *self._histogram(),
            ]
        for name, by_model in gauges.items():
            lines += _by_model(name, "Current value.", "gauge", by_model)
        return "\n".join(lines) + "\n"

    def _histogram(self) -> Iterable[str]:
        yield "# HELP linnet_request_seconds Time to answer."
        yield "# TYPE linnet_request_seconds histogram"
        total = 0
        for bound in (*BOUNDS, float("inf")):
            total += self._seconds[bound]
            name = "+Inf" if bound == float("inf") else str(bound)
            yield f'linnet_request_seconds_bucket{{le="{name}"}} {total}'
        yield f"linnet_request_seconds_sum {self._sum:.6f}"
        yield f"linnet_request_seconds_count {total}"


def _by_model(name: str, about: str, kind: str, values: Mapping[str, float]) -> Iterable[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"
    for model, value in sorted(values.items()):
        escaped = model.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
        yield f'{name}{{model="{escaped}"}} {value}'

"""Counters are written as Prometheus reads them."""

from linnet.serving.http.metrics import Metrics


def test_counters_and_the_histogram_are_written() -> None:
    metrics = Metrics()
    metrics.count_request("/annotate", 200, 0.02)
    metrics.count_request("/annotate", 503, 100.0)
    metrics.count_documents('a"b', 2, 30)

    lines = metrics.as_text({"linnet_waiting_characters": {"m": 5}}).splitlines()

    assert 'linnet_requests_total{route="/annotate",status="200"} 1' in lines
    assert 'linnet_documents_total{model="a\\"b"} 2' in lines
    assert 'linnet_request_seconds_bucket{le="0.01"} 0' in lines
    assert 'linnet_request_seconds_bucket{le="0.025"} 1' in lines
    assert 'linnet_request_seconds_bucket{le="+Inf"} 2' in lines
    assert "linnet_request_seconds_count 2" in lines
    assert 'linnet_waiting_characters{model="m"} 5' in lines


def test_every_metric_has_a_type_before_its_values() -> None:
    known = set()
    for line in Metrics().as_text({}).splitlines():
        if line.startswith("# TYPE"):
            known.add(line.split()[2])
        elif not line.startswith("#"):
            name = line.partition("{")[0].partition(" ")[0]
            assert name in known or name.rpartition("_")[0] in known

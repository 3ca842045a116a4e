"""Settings of `linnet serve`: names, meanings and defaults."""

from pydantic import Field

from linnet.settings.annotation import DEFAULT_MODEL
from linnet.settings.base import Settings, ThresholdsByLabel

__all__ = ["LEAST_TOKEN", "ServeSettings"]

LEAST_TOKEN = 8  # characters


class ServeSettings(Settings):
    """All settings of the web service."""

    models: tuple[str, ...] = Field(
        (DEFAULT_MODEL,), min_length=1, description="Models as MODEL or NAME=MODEL; the first is the default."
    )
    link: tuple[str, ...] = Field(
        (),
        description="Vocabularies or trained linkers to link mentions with; `Label=V` for the mentions of one label.",
    )
    min_link_score: float | None = Field(
        None, ge=0, le=1, description="Lowest score of a link; the linker's own threshold if not given."
    )
    min_score: ThresholdsByLabel = Field(
        {},
        description="Least confidence of mentions by label, `*` for all others, where a request gives none. A number: "
        "for all.",
    )
    host: str = Field("127.0.0.1", description="Address to listen on; other than this machine's own needs a token.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    token: str | None = Field(None, min_length=LEAST_TOKEN, description="Secret that every request must bring.")
    cors: tuple[str, ...] = Field((), description="Origins of web pages that may use the service, e.g. https://a.org.")
    allowed_hosts: tuple[str, ...] = Field((), description="Names under which the service is reached, besides its own.")
    engine: str | None = Field(None, description="Engine that runs the models; by the model folder if not given.")
    threads: int | None = Field(None, ge=1, description="CPU threads; the engine's own choice if not given.")
    max_body_mb: float = Field(20, gt=0, le=1000, description="Largest body of a request, in megabytes.")
    max_documents: int = Field(1000, ge=1, description="Most documents or texts of one request.")
    max_characters: int = Field(5_000_000, ge=1, description="Most characters of all texts of one request.")
    max_waiting: int = Field(10_000_000, ge=1, description="Most characters that wait for a model; more is refused.")
    max_connections: int = Field(1000, ge=1, description="Most connections at a time.")
    wait_ms: float = Field(3, ge=0, le=1000, description="How long a short request waits for others, in milliseconds.")
    seconds: float = Field(120, gt=0, description="Longest time for one request.")
    body_seconds: float = Field(30, gt=0, description="Longest time for a client to send a body.")
    shutdown_seconds: float = Field(30, ge=0, description="Longest time for requests that run when the service ends.")
    ray: str | None = Field(None, description="Ray cluster that runs replicas: an address, `auto` or `local`.")
    replicas: int = Field(1, ge=1, le=1000, description="Processes of Ray that answer; each loads the models.")

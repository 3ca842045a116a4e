"""The command `linnet serve`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from linnet.cli.options import Engine, LeastConfidence, LinkTo

__all__ = ["serve"]


def serve(
    *,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]MODEL", help="run folder, exported folder or embedded model; repeatable; bio if not given"
        ),
    ] = None,
    link: LinkTo = None,
    min_link_score: Annotated[float | None, typer.Option(help="lowest score of a link")] = None,
    min_score: LeastConfidence = None,
    host: Annotated[str | None, typer.Option(help="address to listen on; 127.0.0.1 if not given")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="port to listen on; 8000 if not given")] = None,
    token: Annotated[str | None, typer.Option(help="secret that requests must bring; better in a file")] = None,
    token_file: Annotated[Path | None, typer.Option(help="file with that secret")] = None,
    cors: Annotated[
        list[str] | None, typer.Option(metavar="ORIGIN", help="web pages that may use the service; several times")
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="further name of the service; several times")
    ] = None,
    engine: Engine = None,
    threads: Annotated[int | None, typer.Option(min=1, help="CPU threads")] = None,
    max_body_mb: Annotated[float | None, typer.Option(help="largest body of a request, in MB; 20 if not given")] = None,
    max_documents: Annotated[
        int | None, typer.Option(min=1, help="most documents of one request; 1000 if not given")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="longest time for one request; 120 if not given")] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS|auto|local", help="answer with replicas on a Ray cluster")
    ] = None,
    replicas: Annotated[int | None, typer.Option(min=1, help="replicas on the cluster; 1 if not given")] = None,
) -> None:
    """Annotate, link and predict over HTTP, for programs and annotation tools.

    The service listens on this machine alone unless `--host` says otherwise, which needs a token. Stop it with Ctrl+C
    or SIGTERM; requests that run are finished.
    """
    from linnet.cli.display.printing import print_line, print_warnings
    from linnet.errors import BadSetting
    from linnet.serving.http.server import serve as run_service
    from linnet.settings.files import with_overrides
    from linnet.settings.serving import ServeSettings

    if token is not None and token_file is not None:
        raise BadSetting("both --token and --token-file are given", "give one of them")
    if replicas is not None and ray is None:
        raise BadSetting("--replicas is for clusters", "add `--ray ADDRESS|auto|local`, or leave it out")
    if token is not None:
        _check_token(token, "--token")
    given: dict[str, Any] = {
        "models": model,
        "link": link,
        "min_link_score": min_link_score,
        "min_score": min_score,
        "host": host,
        "port": port,
        "token": token if token_file is None else _read_token(token_file),
        "cors": cors,
        "allowed_hosts": allow_host,
        "engine": engine,
        "threads": threads,
        "max_body_mb": max_body_mb,
        "max_documents": max_documents,
        "seconds": seconds,
        "ray": ray,
        "replicas": replicas,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    settings = with_overrides(ServeSettings, chosen, (), where="serve")

    def announce(sentence: str) -> None:
        if sentence.startswith("warning: "):
            print_warnings([sentence.removeprefix("warning: ")])
        else:
            print_line(sentence)

    run_service(settings, announce)


def _check_token(token: str, where: str) -> None:
    """Refuse a short token; here, since messages about settings show what was found."""
    from linnet.errors import BadSetting
    from linnet.settings.serving import LEAST_TOKEN

    if len(token) < LEAST_TOKEN:
        raise BadSetting(f"{where}: the token has fewer than {LEAST_TOKEN} characters", "choose a longer one")


def _read_token(path: Path) -> str:
    from linnet.errors import BadFile
    from linnet.storage.files import read_text

    token = read_text(path).strip()
    if not token:
        raise BadFile(f"{path}: the file is empty", "write the token into it")
    _check_token(token, str(path))
    return token

# The light core: annotate, link, serve, convert and score, with the embedded or an exported model. No torch.
#   docker build -t linnet-core .
#   docker run --rm -v "$PWD:/work" linnet-core annotate texts --output found.jsonl
FROM python:3.13-slim
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE NOTICE ./
COPY src src
RUN pip install --no-cache-dir -c constraints.txt '.[serve,zstd]' \
    && useradd --create-home --uid 1000 linnet
USER 1000
WORKDIR /work
ENTRYPOINT ["linnet"]
CMD ["--help"]

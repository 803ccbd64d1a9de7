# Serves the page, and nothing else: the first stage builds it; the second one has Python, Tornado,
# `app/server` and the page's files. Options: docker run … decode-arithmetic --help
# `make bases` writes the digest behind the tag, and renews it.
ARG BASE=python:3.13-slim

FROM ${BASE} AS build
ARG BASE
WORKDIR /src
COPY requirements.lock pyproject.toml LICENSE ./
RUN python3 -m venv /venv \
 && /venv/bin/pip install --no-cache-dir --require-hashes --requirement requirements.lock
COPY app ./app
COPY calc ./calc
COPY assets ./assets
# Compressed here as small as it gets, so that starting takes no time and no brotli.
RUN /venv/bin/python -m app export --precompress /page
# Of the pinned packages serving needs one, without the tests that it brings.
RUN sed -n '/^tornado==/,/[^\\]$/p' requirements.lock > serve.lock \
 && /venv/bin/pip install --no-cache-dir --require-hashes --no-deps --target /site --requirement serve.lock \
 && rm -r /site/tornado/test
RUN /venv/bin/python -m app.build.bill_of_materials /page /site "${BASE}" > bom.json

FROM ${BASE}
COPY --from=build /site /site
COPY --from=build /src/LICENSE /site/LICENSE
COPY --from=build /src/bom.json /site/bom.json
COPY --from=build /src/app/server /site/app/server
COPY --from=build /page /page
ENV PYTHONPATH=/site PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 10001:10001
EXPOSE 5006
HEALTHCHECK --interval=5s --timeout=2s \
    CMD ["python3", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:5006/healthz', timeout=2)"]
ENTRYPOINT ["python3", "-m", "app.server", "/page"]
CMD []

# Two images of the project, with the Node that it is tested with. Stages, topics and checks are commands of both.
#   docker build -t tonhouse .                           with the embedded store
#   docker build -t tonhouse:server --target server .    for a ClickHouse server: no chdb
# With podman add --format docker: images of the other format have no HEALTHCHECK.
FROM node:26-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The image has its own Node, and no package that the program loads needs its install script. Optional packages are the
# embedded store and what loads it.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force

FROM packages AS packages-with-store
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force

FROM node:26-bookworm-slim AS program
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="tonhouse" \
  org.opencontainers.image.description="The TON blockchain in ClickHouse, with the TON Center v2 and v3 HTTP APIs" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.source="https://github.com/tonhouse/tonhouse" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION"
RUN mkdir /data && chown node:node /data
WORKDIR /app
# The C library gives large buffers back as they are freed (docs/decisions/0028-idle.md).
ENV NODE_ENV=production TONHOUSE_DATA=/data TONHOUSE_HOST=0.0.0.0 MALLOC_MMAP_THRESHOLD_=262144
COPY . .
USER node
VOLUME /data
EXPOSE 8080
# Of `up` and `serve`. The first blocks of a new index may take minutes.
HEALTHCHECK --interval=10s --timeout=10s --start-period=5m --retries=6 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TONHOUSE_PORT || 8080}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Answers are short-lived and large: a young generation of this size (MiB) takes a third off a page of a hundred.
ENTRYPOINT ["node", "--max-semi-space-size=64", "src/main.ts"]
CMD ["--help"]

FROM program AS server
COPY --from=packages /app/node_modules ./node_modules

FROM program
COPY --from=packages-with-store /app/node_modules ./node_modules

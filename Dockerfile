# The project with the Node that it is tested with. Stages, topics and checks are commands of one image.
FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
# The decode kernel is compiled with packages that only building needs.
RUN node scripts/build-kernel.ts \
  && npm prune --omit=dev --ignore-scripts

FROM node:26-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/ ./
RUN mkdir /data && chown node:node /data
USER node
ENV TONHOUSE_DATA=/data
# The C library gives large buffers back as they are freed (docs/decisions/0097-flat-memory.md).
ENV MALLOC_MMAP_THRESHOLD_=262144
VOLUME /data
EXPOSE 8080
# Answers are short-lived and large: a young generation of this size (MiB) takes a third off a page of a hundred.
ENTRYPOINT ["node", "--max-semi-space-size=64", "src/main.ts"]
CMD ["--help"]

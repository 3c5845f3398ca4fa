# The project with the Node that it is tested with. Stages, topics and checks are commands of one image.
FROM node:26-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json ./
# The image has its own Node, and no package that the program loads needs its install script.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY . .
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

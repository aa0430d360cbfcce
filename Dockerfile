# syntax=docker/dockerfile:1

# Every package that the program needs ships the binaries of all platforms, so one build serves every target.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=4000
WORKDIR /app
COPY --from=build /app/package.json /app/README.md /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/schema ./schema
COPY --from=build /app/examples ./examples
# The folder of the default SQLite file.
RUN mkdir data && chown node:node data
VOLUME /app/data
USER node
EXPOSE 4000
# /readyz fails while the server drains or the store is unavailable. localhost may resolve to IPv6 first.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
# No shell or npm in between: SIGTERM must reach the program.
CMD ["node", "dist/cli/main.js", "serve"]

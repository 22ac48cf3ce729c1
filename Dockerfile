# One image for every role; docs/operations.md says how to run it.
FROM node:24-bookworm-slim AS build
WORKDIR /malote
COPY . .
RUN npm ci && npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 MALOTE_DATA=/data
WORKDIR /malote
COPY --from=build /malote /malote
RUN mkdir /data && chown node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=60s --interval=5s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Without a shell in between, so that SIGTERM reaches Malote and it stops in order.
CMD ["node", "--max-semi-space-size=4", "--expose-gc", "apps/api/src/start.js"]

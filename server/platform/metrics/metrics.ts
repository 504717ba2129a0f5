import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** One request that has ended. */
export interface MeasuredRequest {
  method: string;
  /** The pattern of its route, such as `/i/:key.:ext`: there would be too many addresses, and they would name pictures. */
  route: string;
  /** Such as `2xx`, or `aborted`. */
  status: string;
  seconds: number;
}

/** Numbers of a queue by name. */
type Numbers = Record<string, number>;

/** What this process counts for Prometheus. The counts begin with its start. */
export interface Metrics {
  request(request: MeasuredRequest): void;
  /** A new picture, and the size of its stored file. */
  upload(bytes: number): void;
  view(): void;
  jobRun(job: string, result: 'done' | 'failed', seconds: number): void;
  /** Reports numbers that `read` returns, by the label `label`, whenever the metrics are read. */
  watch(gauge: { name: string; help: string; label: string; read(): Numbers }): void;
  /** Reports one number that `read` returns. */
  gauge(name: string, help: string, read: () => number): void;
  /** The text format of Prometheus, and its media type. */
  read(): Promise<{ text: string; type: string }>;
}

const REQUEST_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const JOB_BUCKETS = [0.01, 0.1, 1, 10, 60, 600];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'pixdock_http_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route and status class',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const uploads = new Counter({ name: 'pixdock_uploads_total', help: 'Uploaded pictures', registers });
  const bytes = new Counter({ name: 'pixdock_upload_bytes_total', help: 'Bytes of the uploaded pictures as stored', registers });
  const views = new Counter({ name: 'pixdock_views_total', help: 'Counted views of pictures', registers });
  const runs = new Counter({ name: 'pixdock_job_runs_total', help: 'Runs of background jobs', labelNames: ['job', 'result'], registers });
  const durations = new Histogram({
    name: 'pixdock_job_duration_seconds',
    help: 'Duration of background job runs',
    labelNames: ['job'],
    buckets: JOB_BUCKETS,
    registers,
  });
  /** Observes the process itself, which costs something, once someone reads the metrics. */
  let observeProcess = () => {
    observeProcess = () => undefined;
    collectDefaultMetrics({ register: registry });
  };

  return {
    request: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    upload(size) {
      uploads.inc();
      bytes.inc(size);
    },
    view: () => views.inc(),
    jobRun(job, result, seconds) {
      runs.inc({ job, result });
      durations.observe({ job }, seconds);
    },
    watch({ name, help, label, read }) {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          for (const [value, amount] of Object.entries(read())) this.set({ [label]: value }, amount);
        },
      });
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    async read() {
      observeProcess();
      return { text: await registry.metrics(), type: registry.contentType };
    },
  };
}

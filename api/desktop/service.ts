import { z } from 'zod';
import type { Call, Event } from './call.ts';

/** Why the service isn't running. `detail` is an English sentence for users. */
export const serviceProblem = z.object({
  code: z.enum(['port_in_use', 'port_forbidden', 'data_folder', 'damaged_database', 'no_answer', 'hung', 'ended', 'failed']),
  detail: z.string(),
  /** Of `port_in_use`: the port, and the number of pictures whose links contain it. */
  port: z.int().optional(),
  images: z.int().optional(),
  /** Of `damaged_database`: its path, and that of the folder with backups, if there are some. */
  database: z.string().optional(),
  backups: z.string().optional(),
});
export type ServiceProblem = z.infer<typeof serviceProblem>;

/** The state of the service process. */
const serviceStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('starting') }),
  z.object({
    state: z.literal('running'),
    url: z.string().meta({ description: 'Its address on this computer' }),
    linkAddress: z.string().meta({ description: 'The start of every link' }),
  }),
  z.object({
    state: z.literal('down'),
    problem: serviceProblem,
    retryAt: z.int().nullable().meta({ description: 'Milliseconds since 1970; null: it keeps failing and is not restarted automatically' }),
  }),
  z.object({ state: z.literal('stopped') }),
]);
export type ServiceStatus = z.infer<typeof serviceStatus>;

export const serviceCalls = {
  getServiceStatus: { pages: ['app', 'status'], input: z.tuple([]), output: serviceStatus },
  /** The last lines of the service's log, oldest first. */
  getServiceLog: { pages: ['status'], input: z.tuple([]), output: z.array(z.string()) },
  openLogFolder: { pages: ['app', 'status'], input: z.tuple([]), output: z.undefined() },
  /** Lets the user choose a data folder in place of a damaged one, and restarts the app with it. */
  chooseOtherDataFolder: { pages: ['status'], input: z.tuple([]), output: z.undefined() },
  retryService: { pages: ['app', 'status'], input: z.tuple([]), output: z.undefined() },
} as const satisfies Record<string, Call>;

export const serviceEvents = {
  serviceStatus: { pages: ['app', 'status'], payload: serviceStatus },
} as const satisfies Record<string, Event>;

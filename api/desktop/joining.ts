import { z } from 'zod';
import type { Call, Event } from './call.ts';
import { wishes } from './setup.ts';

/** Another Pixdock on the local network. */
const foundPixdock = z.object({ id: z.string(), name: z.string(), url: z.string() });
export type FoundPixdock = z.infer<typeof foundPixdock>;

/** Why joining failed; `local_network`: macOS may not permit it; `other_host`: connecting again found another Pixdock server at the address. */
const joinProblem = z.enum([
  'address',
  'unreachable',
  'local_network',
  'not_pixdock',
  'other_host',
  'not_set_up',
  'busy',
  'denied',
  'expired',
  'failed',
]);
export type JoinProblem = z.infer<typeof joinProblem>;

/** The progress of joining a host. */
const joinState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({ state: z.literal('asking') }),
  z.object({
    state: z.literal('waiting'),
    /** The host's name. */
    host: z.string(),
    /** To be compared with the one on the host's page. */
    code: z.string(),
    /** The page where a user of the host approves. */
    verifyUrl: z.string(),
  }),
  /** Approved on the host's page; the user hasn't yet said that this is the host and account they mean. */
  z.object({ state: z.literal('approved'), host: z.string(), url: z.string(), username: z.string() }),
  /** `detail`: a sentence, where the problem needs one. */
  z.object({ state: z.literal('failed'), problem: joinProblem, detail: z.string() }),
  z.object({ state: z.literal('joined') }),
]);
export type JoinState = z.infer<typeof joinState>;

/** What a joined host accepts, as far as the page shows it. A host's response is checked like any input. */
export const hostLimits = z.object({
  max_file_bytes: z.number().nonnegative(),
  /** Hosts before 0.6 take no videos. */
  max_video_bytes: z.number().nonnegative().default(0),
  max_video_seconds: z.number().nonnegative().default(0),
  allowed_exts: z.array(z.string().regex(/^[0-9a-z]{1,8}$/)).max(50),
});
export type HostLimits = z.infer<typeof hostLimits>;

/** The pages in the window of a joined app. */
export const joinedPart = z.enum(['uploads', 'folders', 'settings']);
export type JoinedPart = z.infer<typeof joinedPart>;

/** The host that this computer uploads to. */
const joinedHost = z.object({
  name: z.string(),
  url: z.string(),
  /** The account on the host that the pictures belong to. */
  username: z.string(),
  /** `blocked`: macOS may not permit the connection; `revoked`: the host refuses the token. */
  state: z.enum(['ready', 'waiting', 'blocked', 'revoked']),
  /** False if this system offers no encryption for the token. */
  encrypted: z.boolean(),
  /** What the host accepts from the account, once it has said so. A limit of 0 bytes means unlimited. */
  limits: hostLimits.optional(),
});
export type JoinedHost = z.infer<typeof joinedHost>;

export const joiningCalls = {
  /** Searches the local network while the page is open; reports with the event `foundPixdocks`. */
  findPixdocks: { pages: ['setup'], input: z.tuple([]), output: z.undefined() },
  /** Asks a host for access; progress follows with the event `joinState`. */
  startJoining: {
    pages: ['setup'],
    input: z.tuple([wishes.extend({ address: z.string().max(300) })]),
    output: z.undefined(),
  },
  cancelJoining: { pages: ['setup', 'joined'], input: z.tuple([]), output: z.undefined() },
  getJoinState: { pages: ['setup', 'joined'], input: z.tuple([]), output: joinState },
  /** Uses the host that has approved. `cancelJoining` gives its token back. */
  confirmJoining: { pages: ['setup', 'joined'], input: z.tuple([]), output: z.undefined() },
  /** Opens the host's page for the approval in the user's browser. */
  openApproval: { pages: ['setup', 'joined'], input: z.tuple([]), output: z.undefined() },
  getJoinedHost: { pages: ['joined'], input: z.tuple([]), output: joinedHost },
  /** Asks the joined host again, after it has revoked the token. */
  connectAgain: { pages: ['joined'], input: z.tuple([]), output: z.undefined() },
  /** Leaves the host, after asking, and restarts the app with its first page; false if the user keeps it. */
  leaveHost: { pages: ['joined'], input: z.tuple([]), output: z.boolean() },
} as const satisfies Record<string, Call>;

export const joiningEvents = {
  foundPixdocks: { pages: ['setup'], payload: z.array(foundPixdock) },
  joinState: { pages: ['setup', 'joined'], payload: joinState },
  /** A link asks to join the server at an address. */
  joinLink: { pages: ['setup'], payload: z.string() },
  joinedHost: { pages: ['joined'], payload: joinedHost },
  /** Asks the window for one of its pages, such as when a notification about an upload is clicked. */
  openPart: { pages: ['joined'], payload: joinedPart },
} as const satisfies Record<string, Event>;

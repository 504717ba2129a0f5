import { z } from 'zod';
import type { Call, Event } from './call.ts';
import { PORTS } from './listening.ts';

/** An address that links can start with. */
const lanAddress = z.object({
  /** A host name or an IPv4 address. */
  host: z.string(),
  /** Such as `http://192.168.1.5:7410`. */
  url: z.string(),
  kind: z.enum(['ip', 'announced', 'other']),
});
export type LanAddressChoice = z.infer<typeof lanAddress>;

/** The state of sharing on the local network. */
const lanStatus = z.object({
  /** Whether the service listens for other devices, or will once it runs. */
  on: z.boolean(),
  /** Settings that an environment variable determines. */
  fixed: z.object({ host: z.boolean(), port: z.boolean() }),
  port: z.int(),
  /**
   * `unconfirmed`: no other device has loaded a page yet; `unreached`: none has for a minute; `reached`: one has.
   * It starts over when the address or the port changes.
   */
  reach: z.enum(['off', 'starting', 'noNetwork', 'unconfirmed', 'unreached', 'reached']),
  /** The IP address of the device that has reached Pixdock. */
  reachedBy: z.string().nullable(),
  /** The start of every link; null while the service isn't running. */
  linkAddress: z.string().nullable(),
  /** The addresses that links can start with; the present one among them unless `elsewhere`. */
  choices: z.array(lanAddress),
  /** Links start with a base URL that an admin has set. */
  elsewhere: z.boolean(),
  /** The host of links, which doesn't lead to this computer at the moment. */
  missing: z.string().nullable(),
  /** The host name announced over mDNS, such as `pixdock.local`. */
  announced: z.string().nullable(),
  /** Sentences for users: why the switch had no effect, and why no name is announced. */
  problem: z.string().nullable(),
  announceProblem: z.string().nullable(),
});
export type LanStatus = z.infer<typeof lanStatus>;

/** What may keep other devices out. */
const lanHelp = z.object({
  system: z.enum(['win32', 'darwin', 'linux']),
  /** How Windows classifies the network; null where it isn't known. */
  profile: z.enum(['public', 'private', 'domain']).nullable(),
  /** The firewall of this computer; null where it isn't known. */
  firewall: z.object({ name: z.string(), active: z.boolean() }).nullable(),
  /** Commands that let other devices in, for an administrator of this computer. */
  commands: z.array(z.string()),
});
export type LanHelp = z.infer<typeof lanHelp>;

/** The facts for choosing another port. */
const portChange = z.object({
  port: z.int(),
  /** PIXDOCK_PORT determines it. */
  fixed: z.boolean(),
  /** The program that holds the port, such as `nginx`; null: none does, or it isn't known. */
  holder: z.string().nullable(),
  /** A free port. */
  suggestion: z.int().nullable(),
  /** The number of pictures whose links would break; null if it isn't known. */
  images: z.int().nullable(),
});
export type PortChange = z.infer<typeof portChange>;

export const lanCalls = {
  getLanStatus: { pages: ['app', 'status'], input: z.tuple([]), output: lanStatus },
  getLanHelp: { pages: ['app'], input: z.tuple([]), output: lanHelp },
  /** Makes links start with another host name or IPv4 address; the former one stays accepted. */
  chooseLanAddress: { pages: ['app'], input: z.tuple([z.string().trim().min(1).max(253)]), output: z.undefined() },
  /** Turns sharing on, and copies these links once they start with an address that other devices can open. */
  shareLinks: { pages: ['app'], input: z.tuple([z.string().min(1).max(1_000_000)]), output: z.undefined() },
  getPortChange: { pages: ['app', 'status'], input: z.tuple([]), output: portChange },
  /** Moves the service to another port, which breaks all links with the present one. */
  choosePort: { pages: ['app', 'status'], input: z.tuple([z.int().min(PORTS.min).max(PORTS.max)]), output: z.undefined() },
} as const satisfies Record<string, Call>;

export const lanEvents = {
  lanStatus: { pages: ['app'], payload: lanStatus },
} as const satisfies Record<string, Event>;

import { z } from 'zod';
import type { Call } from './call.ts';
import { accelerator, preferences, shortcutState } from './preferences.ts';

// The first launch: what this computer does, asked before anything else starts.

const setupState = z.object({
  language: preferences.shape.language,
  /** This computer's name, suggested for the site and shown to a joined host. */
  computer: z.string(),
  /** Whether the user has let others on the network open links before. */
  lan: z.boolean(),
  /** The keys suggested for captures, which are free as far as the system tells. */
  captureShortcut: z.object({ keys: accelerator.nullable(), state: shortcutState }),
  /** Whether shortcuts can only have keys that the desktop's portal knows (Wayland). */
  portalShortcuts: z.boolean(),
  /** Absolute path of the usual data folder. */
  dataDir: z.string(),
  /** Whether that folder holds a Pixdock already. */
  hasData: z.boolean(),
  /** Where the system saves screenshots, if it has such a folder. */
  screenshots: z.string().nullable(),
  /** The address of a server that a link asks to join. */
  joinLink: z.string().nullable(),
});
export type SetupState = z.infer<typeof setupState>;

/** A folder that the user chose. */
const chosenFolder = z.object({
  path: z.string(),
  /** Why it can't be used. */
  problem: z.enum(['not_pixdock', 'not_empty', 'not_writable', 'on_network']).optional(),
  /** True if a program such as Dropbox synchronises the folder, which can be used anyway. */
  synchronised: z.literal(true).optional(),
});
export type ChosenFolder = z.infer<typeof chosenFolder>;

/** What the first launch asks whatever this computer will do. */
export const wishes = z.object({
  watchScreenshots: z.boolean(),
  /** Null: none. */
  captureShortcut: accelerator.nullable(),
});
export type Wishes = z.infer<typeof wishes>;

const hosting = wishes.extend({
  /** Of the site; empty: the default. */
  name: z.string().trim().max(100),
  /** Null: the usual one. */
  dataDir: z.string().min(1).max(4096).nullable(),
  /** Whether other devices on the network can open links. */
  lan: z.boolean(),
  /** The page shown first. */
  open: z.enum(['gallery', 'restore']),
});
export type Hosting = z.infer<typeof hosting>;

export const setupCalls = {
  getSetup: { pages: ['setup'], input: z.tuple([]), output: setupState },
  /** Whether keys could become a shortcut. */
  tryShortcut: { pages: ['setup'], input: z.tuple([accelerator]), output: shortcutState },
  /** Lets the user choose a folder for a new service, or one with an existing Pixdock; null: cancelled. */
  chooseDataFolder: { pages: ['setup'], input: z.tuple([z.enum(['new', 'existing'])]), output: chosenFolder.nullable() },
  /** Hosts on this computer; the window continues with the gallery. */
  hostHere: { pages: ['setup'], input: z.tuple([hosting]), output: z.undefined() },
} as const satisfies Record<string, Call>;

import { z } from 'zod';
import type { Call, Event } from './call.ts';

const CARD_ACTIONS = ['open', 'retry', 'share', 'copyLink', 'copyPicture', 'edit', 'pin', 'sendTo', 'delete', 'close'] as const;
export const cardAction = z.enum(CARD_ACTIONS);
export type CardAction = z.infer<typeof cardAction>;

/** What was captured or uploaded, in a corner of the screen. Texts are in the user's language. */
const card = z.object({
  id: z.uuid(),
  /** Of the file; of several, the first one. */
  name: z.string(),
  state: z.enum(['uploading', 'done', 'failed']),
  title: z.string(),
  detail: z.string(),
  /** The share that is uploaded, from 0 to 1, where known. */
  progress: z.number().optional(),
  /** Whether it is one file, which can be dragged to another program. */
  canDrag: z.boolean(),
  /** What can be done now. */
  actions: z.array(z.object({ name: cardAction, label: z.string() })),
});
export type Card = z.infer<typeof card>;

const id = z.uuid();
/** The display whose window asks. */
const display = z.string().max(40);

export const cardCalls = {
  /** The cards on a display, the newest first. */
  getCards: {
    pages: ['card'],
    input: z.tuple([display]),
    output: z.object({ lang: z.string(), heading: z.string(), askDelete: z.string(), cancel: z.string(), cards: z.array(card) }),
  },
  /** A small picture of what a card shows; null where there is none, or none yet. */
  getCardPicture: { pages: ['card'], input: z.tuple([id]), output: z.instanceof(Uint8Array).nullable() },
  actOnCard: { pages: ['card'], input: z.tuple([id, cardAction]), output: z.undefined() },
  /** Lets the user drag the file of a card to another program. */
  dragCard: { pages: ['card'], input: z.tuple([id]), output: z.undefined() },
  /** Whether the user points at a display's cards or has the focus there: they stay meanwhile. */
  holdCards: { pages: ['card'], input: z.tuple([display, z.boolean()]), output: z.undefined() },
} as const satisfies Record<string, Call>;

export const cardEvents = {
  cardsChanged: { pages: ['card'], payload: z.null() },
  /** Moves the focus into a card. */
  cardFocused: { pages: ['card'], payload: id },
} as const satisfies Record<string, Event>;

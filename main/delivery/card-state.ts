import type { CardAction, Card as ShownCard } from '#api/desktop/cards.ts';
import type { Preferences } from '#api/desktop/preferences.ts';
import { reachOf } from '#api/sharing/reach.ts';
import type { Failure } from '#main/base/reasons.ts';
import type { SentImage } from '#main/journal/item.ts';
import type { Texts } from '#main/texts/en.ts';
import type { Uploader } from '#main/uploader/uploader.ts';
import type { CardFile } from './card-files.ts';

/** What brings pictures, and the preference of whether that has cards. */
export const CARD_PREFERENCES = { captures: 'captureCards', uploads: 'uploadCards', folders: 'folderCards' } as const satisfies Record<
  string,
  keyof Preferences
>;
export type CardTrigger = keyof typeof CARD_PREFERENCES;

/** What became of the links of a batch. */
export interface Outcome {
  onClipboard: 'links' | 'picture' | 'nothing';
  /** Nothing is there because the system didn't take it. */
  hasFailed?: boolean;
  /** As they would be copied. */
  links?: string | undefined;
  /** Turns sharing on, and copies links that others can open; undefined where that isn't offered. */
  share?: (() => Promise<{ shared: string; address: string }>) | undefined;
}

/** Uploads that are shown together. */
export interface Card {
  id: string;
  display: string;
  trigger: CardTrigger;
  batches: Set<string>;
  /** By id; undefined while one is open. */
  uploads: Map<string, { image?: SentImage; failure?: Failure } | undefined>;
  /** Of the first; of a watch folder, the latest. */
  name: string;
  file: CardFile;
  hasPicture: boolean;
  outcome: Outcome | undefined;
  /** The address with which links were copied again. */
  shared?: string;
  seen: Promise<boolean>;
  cancel?: () => void;
}

const endedOf = ({ uploads }: Card) => [...uploads.values()].filter((upload) => upload !== undefined);
const failuresOf = (card: Card) => endedOf(card).flatMap(({ failure }) => failure ?? []);

export const imagesOf = ({ uploads }: Pick<Card, 'uploads'>): SentImage[] => [...uploads.values()].flatMap((upload) => upload?.image ?? []);

export function stateOf(card: Card): ShownCard['state'] {
  if (endedOf(card).length < card.uploads.size || !card.outcome) return 'uploading';
  return failuresOf(card).length > 0 ? 'failed' : 'done';
}

/** Who can open the links of pictures: the same people, unless some of them are private. */
export function whoOpens(done: readonly SentImage[]) {
  const image = done.find(({ visibility }) => visibility !== 'private');
  return image ? reachOf(image.links.url) : 'private';
}

interface Words {
  texts: Texts;
  /** The sentence that the user sees. */
  describe(failure: Failure): string;
  queue: Pick<Uploader, 'progress' | 'waitsFor'> | undefined;
  /** What is possible with its pictures. */
  offered: readonly CardAction[];
}

/** A card as its page shows it. */
export function presentCard(card: Card, words: Words): ShownCard {
  const { id, name, outcome } = card;
  const { texts, queue, offered } = words;
  const state = stateOf(card);
  const names: CardAction[] = [
    ...(state === 'failed' ? ['retry' as const] : []),
    ...(outcome?.share && state === 'done' ? ['share' as const] : []),
    ...offered,
    'close',
  ];
  return {
    ...{ id, name, state, title: titleOf(card, words), detail: detailOf(card, words) },
    ...(state === 'uploading' && { progress: progressOf(card, queue) }),
    canDrag: card.uploads.size === 1,
    actions: names.map((name) => ({ name, label: name === 'share' ? texts.shareNow : texts.cardActions[name] })),
  };
}

function titleOf(card: Card, { texts, queue }: Words): string {
  const { uploads, outcome, shared } = card;
  const failures = failuresOf(card).length;
  if (stateOf(card) === 'uploading') return queue?.waitsFor() ? texts.uploadsWaiting(uploads.size) : texts.uploading(uploads.size);
  if (failures > 0) return texts.failedTitle(failures);
  if (shared) return texts.linkCopiedAgain;
  if (outcome?.hasFailed) return texts.copyFailed;
  if (outcome?.onClipboard === 'picture') return texts.pictureCopied;
  return outcome?.onClipboard === 'links' ? texts.uploadedTitle(uploads.size) : texts.uploadedWithoutCopy(uploads.size);
}

function detailOf(card: Card, { texts, describe, queue }: Words): string {
  const [failure] = failuresOf(card);
  if (failure) return describe(failure);
  const waitsFor = queue?.waitsFor();
  if (stateOf(card) === 'uploading') return waitsFor ? describe(waitsFor) : card.name;
  const images = imagesOf(card);
  return texts.opens(card.shared ? reachOf(card.shared) : whoOpens(images), images.length);
}

function progressOf({ uploads }: Card, queue: Words['queue']): number {
  let share = 0;
  for (const [id, ended] of uploads) {
    const { sent = 0, size } = queue?.progress(id) ?? {};
    if (ended) share += 1;
    else if (size) share += Math.min(1, sent / size);
  }
  return share / uploads.size;
}

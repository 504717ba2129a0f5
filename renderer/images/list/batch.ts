import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { addToAlbum, SharedImage } from '#api/albums/pictures.ts';
import { MAX_BATCH } from '#api/constants.ts';
import type { RouteInput } from '#api/contract.ts';
import type { batchImages } from '#api/images/changes.ts';
import type { Image } from '#api/images/images.ts';
import { momentOf } from '#renderer/components/forms/expiry-time.ts';
import { type ImageSet, type Selected, sizeOf } from '#renderer/images/selection/selection.ts';
import { client } from '#renderer/service/client.ts';
import { limitsQuery } from '#renderer/service/queries.ts';
import { inAlbums } from './change.ts';
import { latestOf, showImages, updateLists, withoutImages } from './list.ts';
import { reloadLists, returnToLists } from './reload.ts';

type Body = RouteInput<typeof batchImages>['body'];
type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
/** Adds images to an album, or removes them from it. */
interface AlbumChange {
  action: 'album_add' | 'album_remove';
  album_id: string;
}
/** A change to several images at once. */
export type BatchChange =
  | Without<Exclude<Body, { action: 'restore' | 'undo' }>, 'keys' | 'query' | 'except_keys' | 'continues'>
  | AlbumChange;

/** A picture in an album with members: one of the user's own, or another member's. */
export type AnyImage = Image | SharedImage;
export const isOwn = (image: AnyImage): image is Image => !isOfOther(image);
export const isOfOther = (image: AnyImage): image is SharedImage => 'owner' in image;

/** The images that a batch changes: single ones, and sets without some. */
export interface BatchTarget {
  images: readonly Image[];
  sets: readonly ImageSet[];
  except: readonly Image[];
  /** Other members' pictures, for their removal from an album. All other changes leave them alone. */
  others?: readonly SharedImage[];
}

export const targetOf = (selected: Selected<AnyImage>): BatchTarget => ({
  images: [...selected.images.values()].filter(isOwn),
  sets: selected.sets,
  except: [...selected.except.values()].filter(isOwn),
});

export const only = (images: readonly Image[]): BatchTarget => ({ images, sets: [], except: [] });

/** The number of images in a target. */
export const amountOf = ({ images, sets, except }: BatchTarget) =>
  sizeOf({
    images: new Map(images.map((image) => [image.key, image])),
    sets,
    except: new Map(except.map((image) => [image.key, image])),
  });

/** The outcome of a batch. `error` is set where a whole request failed. */
export interface BatchOutcome {
  /** Single images that were changed, and those that weren't. */
  done: Image[];
  failed: Image[];
  /** All images, with those of sets. */
  processed: number;
  refused: number;
  /** What undoes it, as far as it changed anything. */
  undo: string[];
  error?: unknown;
}

/** Changes any number of images, in as many requests as needed. A failed request doesn't affect the others. */
async function runBatch({ images, sets, except, others = [] }: BatchTarget, change: BatchChange): Promise<BatchOutcome> {
  const outcome: BatchOutcome = { done: [], failed: [], processed: 0, refused: 0, undo: [] };
  // A deletion is one in the trash, too, however many requests it takes.
  const continued = () => (change.action === 'trash' ? { continues: outcome.undo[0] } : {});
  const note = (undo: string | undefined) => {
    if (undo && !outcome.undo.includes(undo)) outcome.undo.push(undo);
  };
  for (const { query, count } of sets) {
    try {
      const { processed, failed, undo } = await sendChange(
        { ...change, ...continued() },
        { query, except_keys: except.map(({ key }) => key) },
      );
      outcome.processed += processed;
      outcome.refused += failed;
      note(undo);
    } catch (error) {
      outcome.refused += count;
      outcome.error = error;
    }
  }
  const named: AnyImage[] = [...images, ...others];
  const count = (image: AnyImage, isDone: boolean) => {
    outcome[isDone ? 'processed' : 'refused'] += 1;
    if (isOwn(image)) outcome[isDone ? 'done' : 'failed'].push(image);
  };
  for (let from = 0; from < named.length; from += MAX_BATCH) {
    const part = named.slice(from, from + MAX_BATCH);
    try {
      const { results, undo } = await sendChange({ ...change, ...continued() }, { keys: part.map(({ key }) => key) });
      // Already deleted elsewhere: that is what was asked for.
      const fine = new Set(
        results.filter(({ ok, code }) => ok || (change.action === 'trash' && code === 'not_found')).map(({ key }) => key),
      );
      for (const image of part) count(image, fine.has(image.key));
      note(undo);
    } catch (error) {
      for (const image of part) count(image, false);
      outcome.error = error;
    }
  }
  return outcome;
}

const send = (body: Body) => client.call('POST /images/batch', { body });

function sendChange(change: BatchChange, target: RouteInput<typeof addToAlbum>['body']) {
  if (change.action !== 'album_add' && change.action !== 'album_remove') return send({ ...change, ...target } as Body);
  const params = { id: change.album_id };
  return change.action === 'album_add'
    ? client.call('POST /albums/:id/images', { params, body: target })
    : client.call('POST /albums/:id/images/remove', { params, body: target });
}

/** The albums of an image as a change will leave them. */
function albumsAfter({ albums }: Image, { action, album_id }: AlbumChange | Extract<BatchChange, { action: 'move' }>): string[] {
  if (album_id === null) return [];
  if (action === 'album_add') return albums.includes(album_id) ? albums : [...albums, album_id];
  const others = (action === 'move' ? albums.slice(1) : albums).filter((id) => id !== album_id);
  return action === 'move' ? [album_id, ...others] : others;
}

/** When an image was taken after a change of dates. */
export const takenAfter = (before: string, { taken_at, shift_seconds = 0 }: Omit<Extract<BatchChange, { action: 'date' }>, 'action'>) =>
  taken_at ?? new Date(Date.parse(before) + shift_seconds * 1000).toISOString();

/** The image as the change will leave it. */
function changed(image: Image, change: BatchChange): Image {
  if (change.action === 'move' || change.action === 'album_add' || change.action === 'album_remove')
    return inAlbums(image, albumsAfter(image, change));
  if (change.action === 'visibility') return { ...image, visibility: change.visibility };
  if (change.action === 'favourite') return { ...image, favourite: change.favourite };
  if (change.action === 'date') return { ...image, taken_at: takenAfter(image.taken_at, change) };
  if (change.action === 'expiry') return { ...image, expires_at: momentOf(change)?.toISOString() ?? null };
  if (change.action !== 'tag') return image;
  if (change.mode === 'set') return { ...image, tags: [...change.tags] };
  if (change.mode === 'remove') return { ...image, tags: image.tags.filter((tag) => !change.tags.includes(tag)) };
  return { ...image, tags: [...new Set([...image.tags, ...change.tags])] };
}

interface Batch {
  target: BatchTarget;
  change: BatchChange;
}

/** Changes images optimistically: the page shows the change immediately and reverts those that fail. Sets are loaded again. */
export function useBatch() {
  const queryClient = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: ({ target, change }: Batch) => runBatch(target, change),
    onMutate: ({ target: { images }, change }) => {
      if (change.action === 'trash') {
        const keys = new Set(images.map(({ key }) => key));
        updateLists(queryClient, (list) => withoutImages(list, keys));
      } else
        showImages(
          queryClient,
          images.map((image) => changed(image, change)),
        );
    },
    onSuccess: ({ failed }, { target }) => {
      if (target.sets.length > 0) reloadLists(queryClient);
      else returnToLists(queryClient, failed);
      refreshCounts(queryClient);
    },
  });
  return useCallback(
    ({ target, change }: Batch) => {
      // What is selected may have been changed since.
      const images = latestOf(queryClient, target.images);
      return mutateAsync({ target: { ...target, images }, change });
    },
    [mutateAsync, queryClient],
  );
}

/** A batch to undo. */
export interface Undone {
  /** What the service returned for it. */
  tokens: readonly string[];
  action: BatchChange['action'] | 'album_order';
  /** The single images as they were before; the others are known to the service alone. */
  images: readonly Image[];
  /** Whether it changed others too. */
  more: boolean;
}

/** What each action changes in an image. */
const FIELDS = {
  move: ['album_id', 'albums'],
  album_add: ['album_id', 'albums'],
  album_remove: ['album_id', 'albums'],
  visibility: ['visibility'],
  favourite: ['favourite'],
  tag: ['tags'],
  expiry: ['expires_at'],
  date: ['taken_at'],
  album_order: [],
} as const;

/** Takes back exactly what a batch changed, or moved to the trash. */
export function useUndoBatch() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ tokens }: Undone) => {
      const outcome = { processed: 0, refused: 0 };
      for (const undo of tokens) {
        const { processed, failed } = await send({ action: 'undo', undo });
        outcome.processed += processed;
        outcome.refused += failed;
      }
      return outcome;
    },
    onSettled: (outcome, _error, { images, more, action }) => {
      if (more || !outcome || outcome.refused > 0) reloadLists(queryClient);
      else if (action === 'trash' || action === 'purge') returnToLists(queryClient, images);
      else returnToLists(queryClient, withFields(latestOf(queryClient, images), images, FIELDS[action]));
      refreshCounts(queryClient);
    },
  });
}

/** Images with some fields as they were before; the others may have been changed since. */
const withFields = (images: readonly Image[], before: readonly Image[], fields: readonly (keyof Image)[]) =>
  images.map(
    (image, index) => ({ ...image, ...Object.fromEntries(fields.map((field) => [field, before[index]?.[field] ?? null])) }) as Image,
  );

/** Loads again what counts images. */
export function refreshCounts(queryClient: ReturnType<typeof useQueryClient>) {
  for (const queryKey of [limitsQuery.queryKey, ['albums'], ['tags'], ['trash'], ['images', 'count'], ['images', 'duplicates']])
    void queryClient.invalidateQueries({ queryKey });
}

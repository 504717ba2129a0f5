import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { MAX_BATCH } from '#api/constants.ts';
import type { RouteInput } from '#api/contract.ts';
import type { batchImages } from '#api/images/changes.ts';
import type { Image } from '#api/images/images.ts';
import { type ImageSet, type Selected, sizeOf } from '#renderer/images/selection/selection.ts';
import { client } from '#renderer/service/client.ts';
import { limitsQuery } from '#renderer/service/queries.ts';
import { latestOf, showImages, updateLists, withoutImages } from './list.ts';
import { reloadLists, returnToLists } from './reload.ts';

type Body = RouteInput<typeof batchImages>['body'];
type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
/** A change to several images at once. */
export type BatchChange = Without<Exclude<Body, { action: 'restore' | 'undo' }>, 'keys' | 'query' | 'except_keys' | 'continues'>;

/** The images that a batch changes: single ones, and sets without some. */
export interface BatchTarget {
  images: readonly Image[];
  sets: readonly ImageSet[];
  except: readonly Image[];
}

export const targetOf = (selected: Selected<Image>): BatchTarget => ({
  images: [...selected.images.values()],
  sets: selected.sets,
  except: [...selected.except.values()],
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
async function runBatch({ images, sets, except }: BatchTarget, change: BatchChange): Promise<BatchOutcome> {
  const outcome: BatchOutcome = { done: [], failed: [], processed: 0, refused: 0, undo: [] };
  // A deletion is one in the trash, too, however many requests it takes.
  const continued = () => (change.action === 'trash' ? { continues: outcome.undo[0] } : {});
  const note = (undo: string | undefined) => {
    if (undo && !outcome.undo.includes(undo)) outcome.undo.push(undo);
  };
  for (const { query, count } of sets) {
    try {
      const { processed, failed, undo } = await send({
        ...change,
        ...continued(),
        query,
        except_keys: except.map(({ key }) => key),
      } as Body);
      outcome.processed += processed;
      outcome.refused += failed;
      note(undo);
    } catch (error) {
      outcome.refused += count;
      outcome.error = error;
    }
  }
  for (let from = 0; from < images.length; from += MAX_BATCH) {
    const part = images.slice(from, from + MAX_BATCH);
    try {
      const { results, undo } = await send({ ...change, ...continued(), keys: part.map(({ key }) => key) } as Body);
      // Already deleted elsewhere: that is what was asked for.
      const fine = new Set(
        results.filter(({ ok, code }) => ok || (change.action === 'trash' && code === 'not_found')).map(({ key }) => key),
      );
      for (const image of part) (fine.has(image.key) ? outcome.done : outcome.failed).push(image);
      note(undo);
    } catch (error) {
      outcome.failed.push(...part);
      outcome.error = error;
    }
  }
  outcome.processed += outcome.done.length;
  outcome.refused += outcome.failed.length;
  return outcome;
}

const send = (body: Body) => client.call('POST /images/batch', { body });

/** The image as the change will leave it. */
function changed(image: Image, change: BatchChange): Image {
  if (change.action === 'move') return { ...image, album_id: change.album_id };
  if (change.action === 'visibility') return { ...image, visibility: change.visibility };
  if (change.action === 'favourite') return { ...image, favourite: change.favourite };
  if (change.action === 'expiry')
    return { ...image, expires_at: change.expires_in ? new Date(Date.now() + change.expires_in * 1000).toISOString() : null };
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
  action: BatchChange['action'];
  /** The single images as they were before; the others are known to the service alone. */
  images: readonly Image[];
  /** Whether it changed others too. */
  more: boolean;
}

/** What each action changes in an image. */
const FIELDS = { move: 'album_id', visibility: 'visibility', favourite: 'favourite', tag: 'tags', expiry: 'expires_at' } as const;

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
      else returnToLists(queryClient, withField(latestOf(queryClient, images), images, FIELDS[action]));
      refreshCounts(queryClient);
    },
  });
}

/** Images with one field as it was before; the others may have been changed since. */
const withField = (images: readonly Image[], before: readonly Image[], field: keyof Image) =>
  images.map((image, index) => ({ ...image, [field]: before[index]?.[field] ?? null }) as Image);

function refreshCounts(queryClient: ReturnType<typeof useQueryClient>) {
  for (const queryKey of [limitsQuery.queryKey, ['albums'], ['tags'], ['trash'], ['images', 'count'], ['images', 'duplicates']])
    void queryClient.invalidateQueries({ queryKey });
}

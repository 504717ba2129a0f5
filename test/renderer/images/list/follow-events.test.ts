import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Image } from '#api/images/images.ts';
import { createFollower } from '#renderer/images/list/follow-events.ts';
import { imageListQuery } from '#renderer/images/list/list.ts';
import { type ImageList, withItems } from '#renderer/images/list/pages.ts';
import { noteRestored } from '#renderer/images/list/restored.ts';
import type { ImageView } from '#renderer/images/list/view.ts';
import { client } from '#renderer/service/client.ts';

const VIEW: ImageView = { sort: 'uploaded_desc' };
const { queryKey } = imageListQuery(VIEW);
/** What the service still has. */
let live: string[];
let asked: string[];
let isPointed = false;
let stir: () => void;
let respond: (keys: string[]) => Promise<{ items: Image[] }>;

const imageOf = (key: string) => ({ key, width: 3, height: 2, created_at: '2026-11-21T12:00:00Z', deleted_at: null }) as Image;

beforeEach(() => {
  live = [];
  asked = [];
  isPointed = false;
  vi.spyOn(client, 'call').mockImplementation(((route: string, { query }: { query: { keys: string } }) => {
    asked.push(`${route} ${query.keys}`);
    return respond(query.keys.split(','));
  }) as unknown as typeof client.call);
  respond = async (keys) => ({ items: keys.filter((key) => live.includes(key)).map(imageOf) });
  vi.useFakeTimers();
  const listening = { addEventListener: (_name: string, listener: () => void) => (stir = listener), removeEventListener: vi.fn() };
  const grid = { matches: () => isPointed, getBoundingClientRect: () => ({ top: 0 }) };
  vi.stubGlobal('document', { ...listening, documentElement: listening, hidden: false, querySelector: () => grid });
  vi.stubGlobal('window', { ...listening, matchMedia: () => ({ matches: true }) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A page that shows three images, and follows events. */
function page() {
  const queryClient = new QueryClient();
  const items = ['a', 'b', 'c'].map(imageOf);
  const empty = { after: undefined, until: undefined, loaded: true, items: [], ratios: [], days: [], hashes: undefined };
  queryClient.setQueryData<ImageList>(queryKey, { pages: [withItems(empty, items, VIEW)] });
  const follow = createFollower(queryClient);
  const keys = () => queryClient.getQueryData<ImageList>(queryKey)?.pages.flatMap((one) => one.items.map(({ key }) => key));
  return { follow, keys, queryClient };
}

it('keeps an image that has been deleted and restored meanwhile', async () => {
  const { follow, keys } = page();
  follow({ kind: 'image.deleted', keys: ['a', 'b'] });
  follow({ kind: 'image.created', keys: ['b'] });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(keys()).toEqual(['b', 'c']);
});

it('removes images once the pointer has left the grid, unless they have been restored by then', async () => {
  isPointed = true;
  const { follow, keys } = page();
  follow({ kind: 'image.deleted', keys: ['a', 'b'] });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(keys()).toEqual(['a', 'b', 'c']);
  follow({ kind: 'image.created', keys: ['b'] });
  isPointed = false;
  stir();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(keys()).toEqual(['b', 'c']);
});

it('keeps an image that has been restored before the event of its deletion arrives', async () => {
  live = ['b'];
  const { follow, keys } = page();
  noteRestored(['b']);
  follow({ kind: 'image.deleted', keys: ['a', 'b'] });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(keys()).toEqual(['b', 'c']);
});

it('keeps an image that has been restored elsewhere, whose events arrive together', async () => {
  live = ['b'];
  const { follow, keys } = page();
  follow({ kind: 'image.changed', keys: ['b'] });
  follow({ kind: 'image.deleted', keys: ['a', 'b'] });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(keys()).toEqual(['b', 'c']);
});

it('keeps an image that has been restored elsewhere before the pointer has left the grid', async () => {
  isPointed = true;
  const { follow, keys } = page();
  follow({ kind: 'image.deleted', keys: ['a', 'b'] });
  await vi.advanceTimersByTimeAsync(5_000);
  live = ['b'];
  follow({ kind: 'image.changed', keys: ['b'] });
  await vi.advanceTimersByTimeAsync(5_000);
  isPointed = false;
  stir();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(keys()).toEqual(['b', 'c']);
});

it('asks for changed images with one list, in which one that has been deleted since is no error', async () => {
  live = ['a'];
  const { follow, keys } = page();
  follow({ kind: 'image.changed', keys: ['a', 'gone'] });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toEqual(['GET /images a,gone']);
  expect(keys()).toEqual(['a', 'b', 'c']);
});

it('reads a changed image again if this page has changed something meanwhile', async () => {
  const { follow, keys, queryClient } = page();
  const late = Promise.withResolvers<{ items: Image[] }>();
  respond = () => late.promise;
  follow({ kind: 'image.changed', keys: ['new'] });
  await vi.advanceTimersByTimeAsync(0);
  respond = async () => ({ items: [] });
  await queryClient
    .getMutationCache()
    .build(queryClient, { mutationFn: async () => undefined })
    .execute(undefined);
  // As it was before this page deleted it.
  late.resolve({ items: [imageOf('new')] });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveLength(2);
  expect(keys()).toEqual(['a', 'b', 'c']);
});

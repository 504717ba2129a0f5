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
let isPointed = false;
let stir: () => void;

beforeEach(() => {
  live = [];
  isPointed = false;
  vi.spyOn(client, 'call').mockImplementation((async (_route: string, { params }: { params: { key: string } }) => ({
    key: params.key,
    deleted_at: live.includes(params.key) ? null : '2026-11-21T12:00:01Z',
  })) as unknown as typeof client.call);
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
  const items = ['a', 'b', 'c'].map((key) => ({ key, width: 3, height: 2, created_at: '2026-11-21T12:00:00Z' }) as Image);
  const empty = { after: undefined, until: undefined, loaded: true, items: [], ratios: [], days: [], hashes: undefined };
  queryClient.setQueryData<ImageList>(queryKey, { pages: [withItems(empty, items, VIEW)] });
  const follow = createFollower(queryClient);
  const keys = () => queryClient.getQueryData<ImageList>(queryKey)?.pages.flatMap((one) => one.items.map(({ key }) => key));
  return { follow, keys };
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

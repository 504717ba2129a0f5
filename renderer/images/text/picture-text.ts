import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Image } from '#api/images/images.ts';
import type { TextLine } from '#api/images/text.ts';
import { client } from '#renderer/service/client.ts';
import { configQuery } from '#renderer/service/queries.ts';

/** The text in a picture, and what of it was searched for. */
export interface PictureText {
  key: string;
  lines: readonly TextLine[];
  searched: string | undefined;
}

/** How soon to look again for text that is yet to be recognised. */
const WAITING_MS = 10_000;

export const textQuery = (key: string) =>
  queryOptions({
    queryKey: ['images', 'text', key],
    queryFn: ({ signal }) => client.call('GET /images/:key/text', { params: { key }, signal }),
    staleTime: WAITING_MS,
    refetchInterval: ({ state }) => (state.data?.status === 'waiting' ? WAITING_MS : false),
    retry: false,
  });

/** What is known of the text in a picture; nothing where the server recognises none. */
export function useText(image: Pick<Image, 'key' | 'matched_text'> | undefined) {
  const { data: config } = useQuery(configQuery);
  const isAsked = image !== undefined && (config?.ocr_enabled === true || image.matched_text === true);
  return useQuery({ ...textQuery(image?.key ?? ''), enabled: isAsked }).data;
}

/** The text that the viewer lays over a picture. */
export function usePictureText(
  image: Pick<Image, 'key' | 'matched_text'> | undefined,
  searched: string | undefined,
): PictureText | undefined {
  const text = useText(image);
  return image && text?.lines.length ? { key: image.key, lines: text.lines, searched } : undefined;
}

/** All text of a picture, as it is copied. */
export const wholeText = (lines: readonly TextLine[]): string => lines.map(({ text }) => text).join('\n');

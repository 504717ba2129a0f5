import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { slugProblem } from '#api/images/slug-rules.ts';
import { client } from '#renderer/service/client.ts';

const PAUSE_MS = 250;

interface Options {
  /** An image that may have the address already. */
  key?: string;
  enabled: boolean;
}

/** Checks a custom address while it is typed: why it can't be used, and whether it is known to be free. */
export function useSlugCheck(slug: string, { key, enabled }: Options) {
  const malformed = slug !== '' && enabled ? slugProblem(slug) : undefined;
  const [asked] = useDebouncedValue(slug, PAUSE_MS);
  const { data } = useQuery({
    queryKey: ['slug', key, asked],
    queryFn: ({ signal }) => client.call('GET /slugs/:slug', { params: { slug: asked }, query: { key }, signal }),
    enabled: enabled && asked === slug && asked !== '' && malformed === undefined,
    staleTime: 0,
  });
  const checked = enabled && asked === slug && asked !== '' ? data : undefined;
  return { problem: malformed ?? checked?.problem ?? undefined, isFree: checked?.problem === null };
}

import { useQuery } from '@tanstack/react-query';
import type { Group } from '#api/admin/groups.ts';
import type { Policy } from '#api/admin/policies.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';

/** The groups and the storage policy of a new instance, by their stored names. */
const GIVEN = { Owner: 'given.owner', Users: 'given.users', Guests: 'guests', 'This computer': 'given.computer' } as const;

/** Returns a function that translates such a name; names that an admin chose stay unchanged. */
export function useGivenName(): (name: string) => string {
  const { t } = useTranslation('admin');
  return (name) => (name in GIVEN ? t(GIVEN[name as keyof typeof GIVEN]) : name);
}

/** The groups to choose from; empty while they load. */
export function useGroups(): Group[] {
  const given = useGivenName();
  const { data } = useQuery({
    queryKey: ['admin', 'groups', 'choice'],
    queryFn: ({ signal }) => client.call('GET /admin/groups', { query: { limit: 200 }, signal }),
  });
  return data?.items.map((one) => ({ ...one, name: given(one.name) })) ?? [];
}

/** The storage policies to choose from; empty while they load. */
export function usePolicies(): Policy[] {
  const given = useGivenName();
  const { data } = useQuery({
    queryKey: ['admin', 'policies', 'choice'],
    queryFn: ({ signal }) => client.call('GET /admin/policies', { query: { limit: 200 }, signal }),
  });
  return data?.items.map((one) => ({ ...one, name: given(one.name) })) ?? [];
}

import { useQuery } from '@tanstack/react-query';
import type { Group } from '#api/admin-groups.ts';
import type { Policy } from '#api/admin-policies.ts';
import { client } from '#renderer/service/client.ts';
import { useGivenName } from './use-given-name.ts';

/** The groups to choose from; nothing until they are there. */
export function useGroups(): Group[] {
  const given = useGivenName();
  const { data } = useQuery({
    queryKey: ['admin', 'groups', 'choice'],
    queryFn: ({ signal }) => client.call('GET /admin/groups', { query: { limit: 200 }, signal }),
  });
  return data?.items.map((one) => ({ ...one, name: given(one.name) })) ?? [];
}

/** The storage policies to choose from; nothing until they are there. */
export function usePolicies(): Policy[] {
  const given = useGivenName();
  const { data } = useQuery({
    queryKey: ['admin', 'policies', 'choice'],
    queryFn: ({ signal }) => client.call('GET /admin/policies', { query: { limit: 200 }, signal }),
  });
  return data?.items.map((one) => ({ ...one, name: given(one.name) })) ?? [];
}

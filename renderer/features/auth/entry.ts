import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { User } from '#api/auth.ts';
import { configQuery, sessionQuery } from '#renderer/service/queries.ts';

/** Returns a function that opens the page a user wanted once they have signed in. */
export function useEntry() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (user: User, next = '/') => {
    queryClient.setQueryData(sessionQuery.queryKey, { user });
    // Setup changes the instance's configuration, which the routes check.
    await queryClient.fetchQuery({ ...configQuery, staleTime: 0 });
    await router.navigate({ href: next, replace: true });
  };
}

/** The texts of a form's fields by name; empty for fields that aren't on the form. */
export function textFields<const Name extends string>(form: HTMLFormElement, names: readonly Name[]): Record<Name, string> {
  const data = new FormData(form);
  return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')])) as Record<Name, string>;
}

import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';

interface Options<Input, Data> {
  /** Names of the queries below `admin` to refresh; `config` is the instance's public configuration. */
  stale?: readonly string[];
  /** The notification on success. */
  done?: (data: Data, input: Input) => string;
  after?: (data: Data, input: Input) => void;
  /** True if the form shows errors itself. */
  quiet?: boolean;
}

/** A change by an admin, which refreshes the stale queries and notifies of the result. */
export function useChange<Input, Data>(run: (input: Input) => Promise<Data>, { stale = [], done, after, quiet }: Options<Input, Data>) {
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  return useMutation({
    mutationFn: run,
    // Keep secrets out of the cache.
    gcTime: 0,
    onSuccess: (data, input) => {
      if (done) notifications.show({ color: 'petrol.7', message: done(data, input), autoClose: 3500 });
      after?.(data, input);
    },
    onError: (error) => {
      if (!quiet) notifyError(error);
    },
    onSettled: () =>
      Promise.all(stale.map((name) => queryClient.invalidateQueries({ queryKey: name === 'config' ? ['config'] : ['admin', name] }))),
  });
}

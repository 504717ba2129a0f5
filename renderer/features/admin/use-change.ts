import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNotifyError } from '#renderer/components/notice.tsx';

interface Options<Input, Data> {
  /** The lists below `admin` that it changes; with `['config']`, what everybody is told of this instance. */
  stale?: readonly string[];
  /** What to tell people when it is done. */
  done?: (data: Data, input: Input) => string;
  after?: (data: Data, input: Input) => void;
  /** True where the form itself shows what is wrong. */
  quiet?: boolean;
}

/** A change by an admin: refreshes what it touches, and says how it went. */
export function useChange<Input, Data>(run: (input: Input) => Promise<Data>, { stale = [], done, after, quiet }: Options<Input, Data>) {
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  return useMutation({
    mutationFn: run,
    // Secrets that are shown once must not stay in a cache.
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

import { useEffect } from 'react';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useSignOut } from '#renderer/service/sign-out.ts';

/** Signs out as soon as it is there. */
export function SignOut({ onFailed }: { onFailed: () => void }) {
  const notifyError = useNotifyError();
  const { mutate } = useSignOut();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    mutate(undefined, {
      onError: (error) => {
        notifyError(error);
        onFailed();
      },
    });
  }, []);
  return null;
}

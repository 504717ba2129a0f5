import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button } from '#renderer/plain/button.tsx';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { isRefusal, signWithPasskey } from '#renderer/service/passkeys.ts';
import { isSignedOut } from '#renderer/service/query-client.ts';
import type { StepProps } from './step-parts.tsx';

/** Signs in with a passkey, instead of password and code. */
export function PasskeyButton({ onSignedIn }: Pick<StepProps, 'onSignedIn'>) {
  const { t } = useTranslation();
  const explain = useExplain();
  const signIn = useMutation({
    mutationFn: async () => {
      const { options, ticket } = await client.call('POST /auth/passkey/options', {});
      const credential = await signWithPasskey(options);
      return client.call('POST /auth/passkey', { body: { ticket, credential } });
    },
    onSuccess: ({ user }) => onSignedIn(user),
  });
  const fault = isRefusal(signIn.error) ? 'passkey_unused' : isSignedOut(signIn.error) ? 'unknown_passkey' : undefined;
  return (
    <>
      {signIn.isError && <ErrorNotice explanation={explain(signIn.error, fault)} />}
      <Button
        size="md"
        variant="default"
        icon={<IconFingerprint size={18} aria-hidden />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {t('auth.passkey')}
      </Button>
    </>
  );
}

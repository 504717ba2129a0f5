import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#api/client.ts';
import { ErrorNotice } from '#renderer/components/notice.tsx';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { isSignedOut } from '#renderer/service/query-client.ts';
import { useUploads } from '#renderer/upload/provider.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { textFields, useEntry } from './entry.ts';
import { SsoButton, SsoFault } from './sso.tsx';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const { t } = useTranslation();
  const { next, error } = route.useSearch();
  const { data: config } = useQuery(configQuery);
  const enter = useEntry();
  const explain = useExplain();
  const waiting = useUploads().items.filter(({ error: failure }) => isSignedOut(failure)).length;
  const ended = joinSentences(t('auth.ended'), waiting ? t('auth.uploadsWait', { count: waiting }) : '');
  const signIn = useMutation({
    mutationFn: (fields: { login: string; password: string }) => client.call('POST /auth/login', { body: fields }),
    onSuccess: ({ user }) => enter(user, next),
  });
  return (
    <AuthFrame
      title={t('auth.signInTo', { site: config?.site_name ?? 'Pixdock' })}
      intro={(next || waiting > 0) && !signIn.isError ? ended : undefined}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate(textFields(event.currentTarget, ['login', 'password']));
        }}
      >
        <Stack mt="xl">
          {error && !signIn.isError && !signIn.isPending && <SsoFault fault={error} />}
          {signIn.isError && <ErrorNotice explanation={explain(signIn.error, signInFault(signIn.error))} />}
          <TextInput
            name="login"
            label={t('auth.login')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus
          />
          <PasswordInput
            name="password"
            label={t('auth.password')}
            autoComplete="current-password"
            required
            visibilityToggleButtonProps={{ 'aria-label': t('auth.show') }}
          />
          <Button type="submit" size="md" mt="xs" loading={signIn.isPending}>
            {t('auth.signIn')}
          </Button>
          {config?.oidc_enabled && <SsoButton next={next} />}
          {config?.guest_upload_enabled && (
            <Text size="sm">
              <Anchor component={Link} to="/upload" inherit>
                {t('guest.link')}
              </Anchor>
            </Text>
          )}
          {config && config.registration_mode !== 'closed' && (
            <Text size="sm">
              <Anchor component={Link} to="/register" inherit>
                {t('auth.noAccount')}
              </Anchor>
            </Text>
          )}
        </Stack>
      </form>
    </AuthFrame>
  );
}

/** Errors that mean something else here: a 401 isn't an ended session, and too many attempts are failed sign-ins. */
function signInFault(error: unknown) {
  if (isSignedOut(error)) return 'wrong_login';
  return error instanceof ApiError && error.code === 'rate_limited' ? 'locked_out' : undefined;
}

import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { client } from '#renderer/service/client.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { AccountForm } from './account-form.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { useEntry } from './use-entry.ts';

const FIELDS = ['username', 'email', 'password', 'invite'] as const;
type Fields = Record<(typeof FIELDS)[number], string>;
const route = getRouteApi('/register');

/** Where people create an account of their own, with the invite that brought them here or without. */
export function RegisterPage() {
  const { t } = useTranslation();
  const { invite } = route.useSearch();
  const { data: config } = useQuery(configQuery);
  const enter = useEntry();
  const create = useMutation({
    mutationFn: ({ invite: code, ...account }: Fields) =>
      client.call('POST /auth/register', { body: { ...account, invite: code.trim() || undefined } }),
    onSuccess: ({ user }) => enter(user),
  });
  const title = t('auth.registerTitle', { site: config?.site_name ?? 'Pixdock' });
  if (config?.registration_mode === 'closed')
    return (
      <AuthFrame title={title} intro={t(invite ? 'auth.inviteClosed' : 'auth.registerClosed')}>
        <Stack mt="xl">
          <ToSignIn />
        </Stack>
      </AuthFrame>
    );
  const needed = config?.registration_mode === 'invite';
  const codeFirst = needed && !invite;
  return (
    <AuthFrame title={title}>
      <AccountForm
        names={FIELDS}
        create={create}
        codeFirst={codeFirst}
        before={(fault) => (
          <TextInput
            name="invite"
            label={needed || invite ? t('auth.invite') : `${t('auth.invite')} (${t('common.optional')})`}
            defaultValue={invite}
            error={fault('invite')}
            required={needed}
            autoFocus={codeFirst}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      >
        <ToSignIn />
      </AccountForm>
    </AuthFrame>
  );
}

function ToSignIn() {
  const { t } = useTranslation();
  return (
    <Text size="sm">
      <Anchor component={Link} to="/sign-in" inherit>
        {t('auth.haveAccount')}
      </Anchor>
    </Text>
  );
}

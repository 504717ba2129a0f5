import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { client } from '#renderer/service/client.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { AccountForm } from './account-form.tsx';
import { AuthFrame } from './auth-frame.tsx';

const route = getRouteApi('/register');

/** Creates the visitor's account, with or without an invite. */
export function RegisterPage() {
  const { t } = useTranslation();
  const { invite } = route.useSearch();
  const { data: config } = useQuery(configQuery);
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
    <AccountForm
      title={title}
      names={['invite']}
      create={({ invite: code, ...account }) =>
        client.call('POST /auth/register', { body: { ...account, invite: code.trim() || undefined } })
      }
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

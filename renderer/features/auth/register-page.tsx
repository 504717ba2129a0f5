import { Anchor, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { register } from '#api/auth.ts';
import { client } from '../../service/client.ts';
import { configQuery } from '../../service/queries.ts';
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
    mutationFn: ({ invite: code, ...account }: Fields) => client.call(register, { body: { ...account, invite: code.trim() || undefined } }),
    onSuccess: ({ user }) => enter(user),
  });
  const site = config?.site_name ?? 'Pixdock';
  return (
    <AuthFrame
      title={t('auth.registerTitle', { site })}
      intro={config?.registration_mode === 'closed' ? t('auth.registerClosed') : undefined}
    >
      <AccountForm
        names={FIELDS}
        create={create}
        before={(fault) => (
          <TextInput
            name="invite"
            label={config?.registration_mode === 'invite' ? t('auth.invite') : `${t('auth.invite')} (${t('common.optional')})`}
            defaultValue={invite}
            error={fault('invite')}
            required={config?.registration_mode === 'invite'}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      >
        <Text size="sm">
          <Anchor component={Link} to="/sign-in" inherit>
            {t('auth.haveAccount')}
          </Anchor>
        </Text>
      </AccountForm>
    </AuthFrame>
  );
}

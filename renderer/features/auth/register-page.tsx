import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { register } from '#api/auth.ts';
import { ApiError } from '#api/client.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { client } from '../../service/client.ts';
import { useExplain } from '../../service/explain.ts';
import { configQuery } from '../../service/queries.ts';
import { AuthFrame } from './auth-frame.tsx';
import { textFields } from './form.ts';
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
  const explain = useExplain();
  const create = useMutation({
    mutationFn: ({ invite: code, ...account }: Fields) => client.call(register, { body: { ...account, invite: code.trim() || undefined } }),
    onSuccess: ({ user }) => enter(user),
  });
  const wrong = create.error instanceof ApiError ? create.error.details.field : undefined;
  const fault = (name: (typeof FIELDS)[number]) => (wrong === name ? explain(create.error).what : undefined);
  const site = config?.site_name ?? 'Pixdock';
  return (
    <AuthFrame
      title={t('auth.registerTitle', { site })}
      intro={config?.registration_mode === 'closed' ? t('auth.registerClosed') : undefined}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(textFields(event.currentTarget, FIELDS));
        }}
      >
        <Stack mt="xl">
          {create.isError && !FIELDS.some(fault) && <ErrorNotice explanation={explain(create.error)} />}
          <TextInput
            name="invite"
            label={config?.registration_mode === 'invite' ? t('auth.invite') : `${t('auth.invite')} (${t('common.optional')})`}
            defaultValue={invite}
            error={fault('invite')}
            required={config?.registration_mode === 'invite'}
            autoComplete="off"
            spellCheck={false}
          />
          <TextInput
            name="username"
            label={t('auth.username')}
            error={fault('username')}
            autoComplete="username"
            autoCapitalize="none"
            required
            autoFocus
          />
          <TextInput name="email" type="email" label={t('auth.email')} error={fault('email')} autoComplete="email" required />
          <PasswordInput
            name="password"
            label={t('auth.password')}
            description={t('auth.passwordHint')}
            error={fault('password')}
            autoComplete="new-password"
            minLength={10}
            required
            visibilityToggleButtonProps={{ 'aria-label': t('auth.show') }}
          />
          <Button type="submit" size="md" mt="xs" loading={create.isPending}>
            {t('auth.create')}
          </Button>
          <Text size="sm">
            <Anchor component={Link} to="/sign-in" inherit>
              {t('auth.haveAccount')}
            </Anchor>
          </Text>
        </Stack>
      </form>
    </AuthFrame>
  );
}

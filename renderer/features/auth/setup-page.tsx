import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { setup } from '#api/auth.ts';
import { ApiError } from '#api/client.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { client } from '../../service/client.ts';
import { useExplain } from '../../service/explain.ts';
import { configQuery } from '../../service/queries.ts';
import { AuthFrame } from './auth-frame.tsx';
import { textFields } from './form.ts';
import { useEntry } from './use-entry.ts';

const FIELDS = ['username', 'email', 'password', 'site_name', 'setup_code'] as const;
type Fields = Record<(typeof FIELDS)[number], string>;

export function SetupPage() {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const enter = useEntry();
  const explain = useExplain();
  const create = useMutation({
    mutationFn: ({ site_name, setup_code, ...account }: Fields) =>
      client.call(setup, { body: { ...account, site_name: site_name.trim() || undefined, setup_code: setup_code.trim() || undefined } }),
    onSuccess: ({ user }) => enter(user),
  });
  const wrong = create.error instanceof ApiError ? create.error.details.field : undefined;
  const fault = (name: (typeof FIELDS)[number]) => (wrong === name ? explain(create.error).what : undefined);
  return (
    <AuthFrame title={t('auth.setupTitle')} intro={t('auth.setupIntro')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(textFields(event.currentTarget, FIELDS));
        }}
      >
        <Stack mt="xl">
          {create.isError && !FIELDS.some(fault) && <ErrorNotice explanation={explain(create.error)} />}
          {config?.setup_code_required && (
            <TextInput
              name="setup_code"
              label={t('auth.setupCode')}
              description={t('auth.setupCodeHint')}
              error={fault('setup_code')}
              autoComplete="off"
              spellCheck={false}
              required
            />
          )}
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
          <TextInput
            name="site_name"
            label={`${t('auth.siteName')} (${t('common.optional')})`}
            placeholder={config?.site_name}
            error={fault('site_name')}
            maxLength={100}
          />
          <Button type="submit" size="md" mt="xs" loading={create.isPending}>
            {t('auth.create')}
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}

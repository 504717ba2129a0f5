import { TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { client } from '#renderer/service/client.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { AccountForm } from './account-form.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { useEntry } from './use-entry.ts';

const FIELDS = ['username', 'email', 'password', 'site_name', 'setup_code'] as const;
type Fields = Record<(typeof FIELDS)[number], string>;

export function SetupPage() {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const enter = useEntry();
  const create = useMutation({
    mutationFn: ({ site_name, setup_code, ...account }: Fields) =>
      client.call('POST /setup', {
        body: { ...account, site_name: site_name.trim() || undefined, setup_code: setup_code.trim() || undefined },
      }),
    onSuccess: ({ user }) => enter(user),
  });
  const codeFirst = config?.setup_code_required === true;
  return (
    <AuthFrame title={t('auth.setupTitle')} intro={t('auth.setupIntro')}>
      <AccountForm
        names={FIELDS}
        create={create}
        codeFirst={codeFirst}
        before={(fault) =>
          codeFirst && (
            <TextInput
              name="setup_code"
              label={t('auth.setupCode')}
              description={t('auth.setupCodeHint')}
              error={fault('setup_code')}
              autoComplete="off"
              spellCheck={false}
              required
              autoFocus
            />
          )
        }
        after={(fault) => (
          <TextInput
            name="site_name"
            label={`${t('auth.siteName')} (${t('common.optional')})`}
            placeholder={config?.site_name}
            error={fault('site_name')}
            maxLength={100}
          />
        )}
      />
    </AuthFrame>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { TextField } from '#renderer/plain/field.tsx';
import { client } from '#renderer/service/client.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { AccountForm } from './account-form.tsx';

/** @param code the setup code, when the address that the server prints was opened */
export function SetupPage({ code, onCreated }: { code?: string | undefined; onCreated: () => void }) {
  const { t } = useTranslation();
  usePageTitle(t('auth.setupTitle'));
  const { data: config } = useQuery(configQuery);
  return (
    <AccountForm
      title={t('auth.setupTitle')}
      intro={t('auth.setupIntro')}
      names={['site_name', 'setup_code']}
      create={({ site_name, setup_code, ...account }) =>
        client.call('POST /setup', {
          body: { ...account, site_name: site_name.trim() || undefined, setup_code: setup_code.trim() || undefined },
        })
      }
      onCreated={onCreated}
      codeFirst={code === undefined}
      before={(fault) => (
        <TextField
          name="setup_code"
          label={t('auth.setupCode')}
          description={t('auth.setupCodeHint')}
          error={fault('setup_code')}
          defaultValue={code}
          autoComplete="off"
          spellCheck={false}
          required
          autoFocus={code === undefined}
        />
      )}
      after={(fault) => (
        <TextField
          name="site_name"
          label={t('common.optional', { label: t('auth.siteName') })}
          placeholder={config?.site_name}
          error={fault('site_name')}
          maxLength={100}
        />
      )}
    />
  );
}

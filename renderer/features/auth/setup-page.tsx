import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { TextField } from '#renderer/plain/field.tsx';
import { client } from '#renderer/service/client.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { AccountForm } from './account-form.tsx';

/** The setup code in the address that the server prints. */
export const codeInAddress = () => /^#code=([\w-]{1,100})$/.exec(location.hash)?.[1];

export function SetupPage({ onCreated }: { onCreated: () => void }) {
  const { t } = useTranslation();
  usePageTitle(t('auth.setupTitle'));
  const { data: config } = useQuery(configQuery);
  const [code] = useState(codeInAddress);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The address may be opened in the tab that shows this page, which doesn't load again.
    const fill = () => {
      if (field.current) field.current.value = codeInAddress() ?? field.current.value;
    };
    window.addEventListener('hashchange', fill);
    return () => window.removeEventListener('hashchange', fill);
  }, []);
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
          ref={field}
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

import { Alert, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AccountChoice } from '#api/desktop/account.ts';
import { Setting } from '../setting.tsx';
import { accountsQuery } from './desktop.ts';
import type { SectionProps } from './section.ts';

const OWNER = 'owner';

/** The account that the tray, the shortcut and editors upload with, regardless of who is signed in to the window. */
export function UploadAccount({ bridge, preferences: { account }, change }: SectionProps) {
  const { t } = useTranslation();
  const { data: accounts } = useQuery(accountsQuery(bridge));
  if (!accounts) return null;
  const chosen = accounts.find(({ id, is_owner }) => (account === null ? is_owner : id === account));
  const label = ({ username, is_owner, disabled }: AccountChoice) => {
    if (is_owner) return t('computer.accountOwner', { name: username });
    return disabled ? t('computer.accountDisabled', { name: username }) : username;
  };
  return (
    <Setting title={t('computer.account')} hint={t('computer.accountHint')}>
      {(id) => (
        <>
          <Select
            aria-labelledby={id}
            allowDeselect={false}
            searchable={accounts.length > 8}
            nothingFoundMessage={t('computer.accountNotFound')}
            placeholder={t('computer.accountGone')}
            value={chosen ? idOf(chosen) : null}
            onChange={(value) => value !== null && change({ account: value === OWNER ? null : Number(value) })}
            data={accounts.map((choice) => ({
              value: idOf(choice),
              label: label(choice),
              disabled: choice.disabled && choice !== chosen,
            }))}
          />
          {(!chosen || chosen.disabled) && (
            <Alert color="yellow" mt="sm" p="sm" role="status">
              {t(chosen ? 'computer.accountIsDisabled' : 'computer.accountIsGone')}
            </Alert>
          )}
        </>
      )}
    </Setting>
  );
}

function idOf({ id, is_owner }: AccountChoice) {
  return is_owner ? OWNER : String(id);
}

import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Discovery } from '#api/auth/oidc.ts';
import shared from '#renderer/components/layout/rows.module.css';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import classes from '../admin.module.css';

/** The result of trying to reach the provider. */
export function Diagnosis({ discovery }: { discovery: Discovery }) {
  const { t } = useTranslation('admin');
  const isEmpty = discovery.problem === 'no_issuer' || discovery.problem === 'no_client_id';
  const isReached = discovery.issuer !== null;
  const facts = [
    [t('sso.issuer'), discovery.issuer],
    [t('sso.authorization'), discovery.authorization_endpoint],
    [t('sso.token'), discovery.token_endpoint],
  ].filter((fact): fact is [string, string] => !!fact[1]);
  return (
    <Alert
      role={discovery.ok ? 'status' : 'alert'}
      color={discovery.ok ? 'teal' : 'red'}
      variant="light"
      icon={discovery.ok ? <IconCircleCheck size={20} /> : <IconAlertTriangle size={20} />}
      title={
        <Text component="span" fw={600} c="var(--mantine-color-text)">
          {t(discovery.ok ? 'sso.reached' : isEmpty ? 'sso.unfinished' : isReached ? 'sso.unusable' : 'sso.notReached')}
        </Text>
      }
    >
      {discovery.problem && (
        <Text size="sm" c="var(--mantine-color-text)">
          {joinSentences(
            t(`sso.problems.${discovery.problem}`, { detail: discovery.detail ?? '' }),
            discovery.ok ? '' : t('sso.savedAnyway'),
          )}
        </Text>
      )}
      {facts.length > 0 && (
        <dl className={classes.table}>
          {facts.map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd className={shared.mono}>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Alert>
  );
}

import { Button } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { UseMutationResult } from '@tanstack/react-query';
import { Fragment } from 'react';
import type { DeviceScope } from '#api/auth/devices.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './approval.module.css';

export type Decision = 'approve' | 'deny';

interface Props {
  /** What the other device shows as well. */
  code: string;
  /** A few characters, shown larger. */
  isShort?: boolean;
  /** Names and values of what is known about the device. */
  facts: readonly (readonly [string, string | undefined])[];
  choice: UseMutationResult<unknown, Error, Decision>;
  /** What the token may do. */
  scope: DeviceScope;
  /** The button that approves. */
  approve: string;
}

/** The code to compare, what a device is and will be allowed to do, and the decision. */
export function Approval({ code, isShort, facts, choice, scope, approve }: Props) {
  const { t } = useTranslation();
  const explain = useExplain();
  const busy = (decision: Decision) => choice.isPending && choice.variables === decision;
  return (
    <>
      <div className={classes.code} data-short={isShort}>
        {code}
      </div>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      <ul className={classes.rights}>
        <li>
          <IconCheck size={18} aria-hidden />
          {t(scope === 'full' ? 'connect.mayAll' : 'connect.may')}
        </li>
        {scope === 'device' && (
          <li>
            <IconCheck size={18} aria-hidden />
            {t('connect.maySent')}
          </li>
        )}
        <li>
          <IconX size={18} aria-hidden />
          {t(scope === 'full' ? 'connect.mayNotManage' : 'connect.mayNot')}
        </li>
      </ul>
      {choice.error && <ErrorNotice explanation={explain(choice.error)} />}
      <div className={classes.actions}>
        <Button variant="default" loading={busy('deny')} disabled={busy('approve')} onClick={() => choice.mutate('deny')}>
          {t('connect.deny')}
        </Button>
        <Button loading={busy('approve')} disabled={busy('deny')} onClick={() => choice.mutate('approve')}>
          {approve}
        </Button>
      </div>
    </>
  );
}

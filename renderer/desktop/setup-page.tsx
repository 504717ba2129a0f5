import { Alert } from '@mantine/core';
import { useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { ChosenFolder, Hosting, SetupState } from '#api/desktop/setup.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { ChooseStep } from './choose-step.tsx';
import { HostStep } from './host-step.tsx';
import { JoinStep } from './join-step.tsx';

type Step = 'choose' | 'host' | 'join';

/** The first launch: what this computer does. One click is enough to host. */
export function SetupPage({ bridge, setup }: { bridge: DesktopBridge; setup: SetupState }) {
  const { t } = useTranslation('desktop');
  const [step, setStep] = useState<Step>('choose');
  const [watchScreenshots, setWatchScreenshots] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  /** A warning about the chosen folder, which can be used anyway. */
  const [concern, setConcern] = useState<string>();
  const [starting, setStarting] = useState(false);

  const explain = (error: unknown) => setTrouble(t('unexpected', { detail: error instanceof Error ? error.message : String(error) }));

  async function host(choices: Partial<Hosting> = {}) {
    setStarting(true);
    try {
      await bridge.hostHere({ name: '', dataDir: null, lan: setup.lan, open: 'gallery', watchScreenshots, ...choices });
    } catch (error) {
      setStarting(false);
      explain(error);
    }
  }

  /** Lets the user choose a folder; undefined if it can't be used. */
  async function chooseFolder(purpose: 'new' | 'existing'): Promise<string | undefined> {
    setTrouble(undefined);
    const folder = await bridge.chooseDataFolder(purpose).catch(explain);
    if (!folder) return undefined;
    if (folder.problem) {
      setTrouble(t(`setup.problems.${folder.problem satisfies ChosenFolder['problem']}`, { path: folder.path }));
      return undefined;
    }
    setConcern(folder.synchronised ? t('setup.synchronised') : undefined);
    return folder.path;
  }

  async function open() {
    const dataDir = await chooseFolder('existing');
    if (dataDir !== undefined) await host({ dataDir });
  }

  const go = (next: Step) => {
    setTrouble(undefined);
    setConcern(undefined);
    setStep(next);
  };
  const message = trouble ?? concern;
  const alert = message && (
    <Alert color={trouble ? 'red' : 'yellow'} mt="md" role="alert">
      {message}
    </Alert>
  );
  if (step === 'host')
    return (
      <HostStep setup={setup} starting={starting} onBack={() => go('choose')} onChoose={() => chooseFolder('new')} onHost={host}>
        {alert}
      </HostStep>
    );
  if (step === 'join') return <JoinStep bridge={bridge} watchScreenshots={watchScreenshots} onBack={() => go('choose')} />;
  return (
    <ChooseStep
      setup={setup}
      starting={starting}
      watchScreenshots={watchScreenshots}
      onWatchScreenshots={setWatchScreenshots}
      onHost={host}
      onOptions={() => go('host')}
      onJoin={() => go('join')}
      onOpen={open}
    >
      {alert}
    </ChooseStep>
  );
}

import { AdminError, type SettingsCommand } from '../command.ts'

/** Examines an installation before its first start and after each change. */
export const doctorCommand: SettingsCommand = {
  name: 'doctor',
  usage: '',
  help: 'examine settings, ports, database, nodes, contracts, signers and the services around; changes nothing',
  words: { least: 0, most: 0 },
  options: {},
  usesDatabase: false,
  async run({ config, print }) {
    // Loaded for this command alone.
    const { diagnose } = await import('./diagnose.ts')
    if (!(await diagnose(config, print))) throw new AdminError('The doctor found errors')
  },
}

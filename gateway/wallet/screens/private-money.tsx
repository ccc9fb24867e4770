import { ArrivalsScreen } from './arrivals-screen.tsx'
import { PoolDepositScreen } from './pool-deposit-screen.tsx'
import { PoolWithdrawalScreen } from './pool-withdrawal-screen.tsx'
import { PoolsScreen } from './pools-screen.tsx'

/** The screens of pools. Loaded apart: deriving notes takes a quarter of the wallet's code, and few need it at once. */
export default function PrivateMoney({ screen }: { screen: 'pools' | 'pool-in' | 'pool-out' | 'arrivals' }) {
  switch (screen) {
    case 'pool-in':
      return <PoolDepositScreen />
    case 'pool-out':
      return <PoolWithdrawalScreen />
    case 'arrivals':
      return <ArrivalsScreen />
    default:
      return <PoolsScreen />
  }
}

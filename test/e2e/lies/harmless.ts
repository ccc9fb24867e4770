/** Members that the service may choose freely, because no signature depends on them. The wallet refuses every other change. */
export const HARMLESS: readonly { lies: RegExp; because: string }[] = [
  {
    lies: /: (?:quoteId|expiresAt|refresh|planId)\b/,
    because: 'it names the quote and says when to ask again; an intent says by itself until when it is good',
  },
  {
    lies: /: intents\[\]\.(?:nonce|combinedGas|expiry) /,
    because:
      'within the bounds of the wallet it decides whether the chain takes the intent, not what the intent does',
  },
  {
    lies: /^(?:send of|wrap of|deposit|recovery|collectible).*: expires in two hours/,
    because: 'no price in it moves: such intents may live for a day',
  },
  {
    lies: /: intents\[\]\.supportedAccountImplementation /,
    because: 'it is not signed, and what the account runs follows from its delegation',
  },
  {
    lies: /: delegations emptied|: delegations\[\]\.authorizationNonce /,
    because:
      'a delegation that is missing or of another time is not applied; it is to the known contract whenever it is',
  },
  {
    lies: /: (?:outputDecimals|outputSymbol|outputRecipientOwned|destinationName|addressPoisoningMatch) /,
    because: 'a wallet knows decimals, symbols, its own addresses and its contacts by itself',
  },
  {
    lies: /: protocolFee|: fees\.(?:dust|networkUsdAmount|totalUsdAmount|waived) /,
    because: 'it is shown beside the fee, which is read from the calls and adds up',
  },
  {
    lies: /: (?:selectedFundingSources\[\]\.(?:chainId|token|idCount|addressSummary|provenance)\b|provenanceLabelGroups)/,
    because: 'it tells where the money came from; the wallet counts by itself how many addresses pay',
  },
  {
    lies: /: fundingCaveats/,
    because: 'it says what observers learn; the wallet sees in the calls what the chain will show',
  },
  {
    lies: /: signingReview\.intents\[\]\.calldataCaveats (?:filled|removed)/,
    because: 'where no suffix is allowed every byte has to be an argument, whatever is said of it',
  },
  {
    lies: /: the fee (?:another target|word 0 )|: takes a fee of \d more/,
    because: 'who is paid is up to the service, and how much is up to the wallet: at most its maxFee',
  },
  {
    lies: /(?:swap|wrap|bridge).*: (?:expectedOutput one|slippage|requestedSlippageBps |priceImpact )/,
    because: 'the minimum in the calls binds, and is no less than the wallet accepts',
  },
  {
    lies: /: (?:bridgeProvider|estimatedFillTimeMs) |: (?:recoveryRecipient|fillDeadline) invented/,
    because: 'the deposit with the bridge is in the calls; without a bridge nothing comes back',
  },
  {
    lies: /swap .*: call \d word (?:0|10) one/,
    because: 'until when, and through pools of which fee, a swap is made: the minimum holds in each',
  },
  {
    lies: /(?:bridge|cash-out on another chain): call 1 word 8 one|swap to another chain: call 4 word 8 one/,
    because: 'quoteTimestamp is free: the bridge refuses one that is an hour old',
  },
  {
    lies: /deposit.*: deposits\[\]\.(?:vettingFee|depositFee) /,
    because: 'it is shown beside the fee, which is read from the calls and adds up',
  },
  {
    lies: /(?:recovery|collectible|taking|spend).*: (?:amountIn|kind|selectedFundingSources\[\]\.amount) /,
    because: 'what goes out and comes back is read from the calls and the note',
  },
  {
    lies: /(?:collectible|taking a cash-out back|calls of an app): (?:expectedOutput|minimumOutput) /,
    because:
      'the calls say what happens: one collectible, all that nobody holds, the calls that the user was shown',
  },
  {
    lies: /calls of an app: (?:outputToken|outputRecipient|origin|connectedAddress) /,
    because: 'calls have no one output, and the wallet knows who asked for them',
  },
  {
    lies: /cash-out.*: (?:conversionRate|estimatedFiatAmount|minimumFiatAmount) /,
    because: 'it is an estimate; the least rate is in the calls, and no less than the wallet accepts',
  },
  {
    lies: /cash-out.*: call \d word (?:3|28|29) one/,
    because:
      'the least part that a buyer takes, a spread of at most 5 %, the age of a price: the least rate holds in each',
  },
  {
    lies: /spend from.*: (?:minimumOutput|outputRecipient|fees|crowd|privacyCaveats)/,
    because: 'nothing is signed: what leaves which note is compared, and bounded by maxFee',
  },
  {
    lies: /spend from.*: withdrawals\[\]\.(?:depositIndex|relayFeeBPS|withdraws one)/,
    because: 'the note is named by its label, and what is withdrawn is bounded by maxFee',
  },
]

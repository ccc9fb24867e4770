// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {ICashEscrow} from "./ICashEscrow.sol";

interface IRateAdapter {
    function getRate(bytes calldata config) external view returns (bool valid, uint256 rate, uint256 updatedAt);
}

interface IPrunesIntents {
    function pruneIntents(bytes32[] calldata intents) external;
}

/// The life of a deposit between a seller and buyers, written for local chains from the published ABI of Peer's EscrowV2.
/// Left out: delegates, rate managers, and changes of a deposit's methods, currencies and range.
contract CashEscrow is ICashEscrow, ReentrancyGuard {
    using SafeERC20 for IERC20;

    event DepositReceived(uint256 indexed depositId, address indexed depositor, IERC20 indexed token, uint256 amount, Range intentAmountRange, address delegate, address intentGuardian);
    event DepositPaymentMethodAdded(uint256 indexed depositId, bytes32 indexed paymentMethod, bytes32 indexed payeeDetails, address intentGatingService);
    event DepositCurrencyAdded(uint256 indexed depositId, bytes32 indexed paymentMethod, bytes32 indexed currency, uint256 minConversionRate);
    event DepositOracleRateConfigSet(uint256 indexed depositId, bytes32 indexed paymentMethod, bytes32 indexed currencyCode, address adapter, bytes adapterConfig, int16 spreadBps, uint32 maxStaleness);
    event DepositFundsAdded(uint256 indexed depositId, address indexed depositor, uint256 amount);
    event DepositWithdrawn(uint256 indexed depositId, address indexed depositor, uint256 amount);
    event DepositClosed(uint256 depositId, address depositor);
    event DepositAcceptingIntentsUpdated(uint256 indexed depositId, bool acceptingIntents);
    event FundsLocked(uint256 indexed depositId, bytes32 indexed intentHash, uint256 amount, uint256 expiryTime);
    event FundsUnlocked(uint256 indexed depositId, bytes32 indexed intentHash, uint256 amount);
    event FundsUnlockedAndTransferred(uint256 indexed depositId, bytes32 indexed intentHash, uint256 unlockedAmount, uint256 transferredAmount, address to);
    event IntentExpiryExtended(uint256 indexed depositId, bytes32 indexed intentHash, uint256 newExpiryTime);
    event DustCollected(uint256 indexed depositId, uint256 dustAmount, address indexed dustRecipient);

    error ZeroValue();
    error ZeroMinValue();
    error ZeroConversionRate();
    error EmptyPayeeDetails();
    error InvalidRange(uint256 min, uint256 max);
    error AmountBelowMin(uint256 amount, uint256 min);
    error AmountAboveMax(uint256 amount, uint256 max);
    error AmountExceedsAvailable(uint256 requested, uint256 available);
    error ArrayLengthMismatch(uint256 length1, uint256 length2);
    error DepositNotFound(uint256 depositId);
    error DepositNotAcceptingIntents(uint256 depositId);
    error DepositAlreadyInState(uint256 depositId, bool currentState);
    error InsufficientDepositLiquidity(uint256 depositId, uint256 available, uint256 required);
    error IntentNotFound(bytes32 intentHash);
    error MaxIntentsExceeded(uint256 depositId, uint256 current, uint256 max);
    error CurrencyNotSupported(bytes32 paymentMethod, bytes32 currency);
    error UnauthorizedCaller(address caller, address authorized);

    uint256 public depositCounter;
    address public immutable dustRecipient;
    uint256 public immutable dustThreshold;
    uint256 public immutable maxIntentsPerDeposit;
    uint256 public immutable intentExpirationPeriod;

    address private immutable orchestrator;
    mapping(bytes32 method => mapping(bytes32 currency => bool)) private served;
    mapping(uint256 id => Deposit) private deposits;
    mapping(uint256 id => bytes32[]) private methods;
    mapping(uint256 id => mapping(bytes32 method => DepositPaymentMethodData)) private methodData;
    mapping(uint256 id => mapping(bytes32 method => bytes32[])) private currencies;
    mapping(uint256 id => mapping(bytes32 method => mapping(bytes32 currency => uint256))) private minRates;
    mapping(uint256 id => mapping(bytes32 method => mapping(bytes32 currency => OracleRateConfig))) private oracles;
    mapping(uint256 id => bytes32[]) private hashes;
    mapping(uint256 id => mapping(bytes32 intentHash => Intent)) private intents;

    struct Limits {
        uint256 dustThreshold;
        uint256 maxIntentsPerDeposit;
        uint256 intentExpirationPeriod;
    }

    constructor(
        address orchestrator_,
        address dustRecipient_,
        Limits memory limits,
        bytes32[] memory methods_,
        bytes32[][] memory currencies_
    ) {
        orchestrator = orchestrator_;
        dustRecipient = dustRecipient_;
        dustThreshold = limits.dustThreshold;
        maxIntentsPerDeposit = limits.maxIntentsPerDeposit;
        intentExpirationPeriod = limits.intentExpirationPeriod;
        for (uint256 i = 0; i < methods_.length; ++i) {
            for (uint256 j = 0; j < currencies_[i].length; ++j) served[methods_[i]][currencies_[i][j]] = true;
        }
    }

    modifier onlyOrchestrator() {
        if (msg.sender != orchestrator) revert UnauthorizedCaller(msg.sender, orchestrator);
        _;
    }

    function createDeposit(CreateDepositParams calldata params) external nonReentrant {
        open(msg.sender, params);
    }

    /// Opens a deposit of somebody else, who alone can withdraw it.
    function depositTo(address depositor, CreateDepositParams calldata params) external nonReentrant {
        open(depositor, params);
    }

    function addFunds(uint256 id, uint256 amount) external nonReentrant {
        Deposit storage deposit = existing(id);
        if (amount == 0) revert ZeroValue();
        deposit.remainingDeposits += amount;
        emit DepositFundsAdded(id, msg.sender, amount);
        deposit.token.safeTransferFrom(msg.sender, address(this), amount);
    }

    function removeFunds(uint256 id, uint256 amount) external nonReentrant {
        Deposit storage deposit = owned(id);
        if (amount == 0) revert ZeroValue();
        if (deposit.remainingDeposits < amount) reclaim(deposit, id);
        demandLiquidity(deposit, id, amount);
        deposit.remainingDeposits -= amount;
        if (deposit.acceptingIntents && deposit.remainingDeposits < deposit.intentAmountRange.min) {
            deposit.acceptingIntents = false;
            emit DepositAcceptingIntentsUpdated(id, false);
        }
        emit DepositWithdrawn(id, msg.sender, amount);
        deposit.token.safeTransfer(msg.sender, amount);
    }

    /// Returns the amount that no buyer holds, and accepts no more buyers. A buyer's amount can be fetched once the intent has expired.
    function withdrawDeposit(uint256 id) external nonReentrant {
        Deposit storage deposit = owned(id);
        reclaim(deposit, id);
        uint256 amount = deposit.remainingDeposits;
        IERC20 token = deposit.token;
        deposit.remainingDeposits = 0;
        if (deposit.acceptingIntents) {
            deposit.acceptingIntents = false;
            emit DepositAcceptingIntentsUpdated(id, false);
        }
        emit DepositWithdrawn(id, msg.sender, amount);
        closeIfDone(deposit, id);
        token.safeTransfer(msg.sender, amount);
    }

    function pruneExpiredIntents(uint256 id) external nonReentrant {
        reclaim(existing(id), id);
    }

    function setAcceptingIntents(uint256 id, bool accepting) external {
        Deposit storage deposit = owned(id);
        if (deposit.acceptingIntents == accepting) revert DepositAlreadyInState(id, accepting);
        if (accepting) demandLiquidity(deposit, id, deposit.intentAmountRange.min);
        deposit.acceptingIntents = accepting;
        emit DepositAcceptingIntentsUpdated(id, accepting);
    }

    function extendIntentExpiry(uint256 id, bytes32 hash, uint256 additionalTime) external {
        address guardian = existing(id).intentGuardian;
        if (guardian != msg.sender) revert UnauthorizedCaller(msg.sender, guardian);
        Intent storage intent = intents[id][hash];
        if (intent.amount == 0) revert IntentNotFound(hash);
        intent.expiryTime += additionalTime;
        emit IntentExpiryExtended(id, hash, intent.expiryTime);
    }

    function lockFunds(uint256 id, bytes32 hash, uint256 amount) external nonReentrant onlyOrchestrator {
        Deposit storage deposit = existing(id);
        Range storage range = deposit.intentAmountRange;
        if (!deposit.acceptingIntents) revert DepositNotAcceptingIntents(id);
        if (amount < range.min) revert AmountBelowMin(amount, range.min);
        if (amount > range.max) revert AmountAboveMax(amount, range.max);
        if (deposit.remainingDeposits < amount || hashes[id].length == maxIntentsPerDeposit) reclaim(deposit, id);
        demandLiquidity(deposit, id, amount);
        uint256 held = hashes[id].length + 1;
        if (held > maxIntentsPerDeposit) revert MaxIntentsExceeded(id, held, maxIntentsPerDeposit);
        deposit.remainingDeposits -= amount;
        deposit.outstandingIntentAmount += amount;
        hashes[id].push(hash);
        uint256 expiry = block.timestamp + intentExpirationPeriod;
        intents[id][hash] = Intent(hash, amount, block.timestamp, expiry);
        emit FundsLocked(id, hash, amount, expiry);
    }

    function unlockFunds(uint256 id, bytes32 hash) external nonReentrant onlyOrchestrator {
        Deposit storage deposit = existing(id);
        uint256 amount = drop(id, hash);
        deposit.remainingDeposits += amount;
        deposit.outstandingIntentAmount -= amount;
        emit FundsUnlocked(id, hash, amount);
    }

    function unlockAndTransferFunds(uint256 id, bytes32 hash, uint256 transferAmount, address to)
        external
        nonReentrant
        onlyOrchestrator
    {
        Deposit storage deposit = existing(id);
        if (transferAmount == 0) revert ZeroValue();
        uint256 amount = drop(id, hash);
        if (transferAmount > amount) revert AmountExceedsAvailable(transferAmount, amount);
        deposit.outstandingIntentAmount -= amount;
        deposit.remainingDeposits += amount - transferAmount;
        IERC20 token = deposit.token;
        closeIfDone(deposit, id);
        emit FundsUnlockedAndTransferred(id, hash, amount, transferAmount, to);
        token.safeTransfer(to, transferAmount);
    }

    function getDeposit(uint256 id) external view returns (Deposit memory) {
        return deposits[id];
    }

    function getDepositIntent(uint256 id, bytes32 hash) external view returns (Intent memory) {
        return intents[id][hash];
    }

    function getDepositIntentHashes(uint256 id) external view returns (bytes32[] memory) {
        return hashes[id];
    }

    function getDepositPaymentMethods(uint256 id) external view returns (bytes32[] memory) {
        return methods[id];
    }

    function getDepositPaymentMethodData(uint256 id, bytes32 method)
        external
        view
        returns (DepositPaymentMethodData memory)
    {
        return methodData[id][method];
    }

    function getDepositCurrencies(uint256 id, bytes32 method) external view returns (bytes32[] memory) {
        return currencies[id][method];
    }

    function getDepositCurrencyMinRate(uint256 id, bytes32 method, bytes32 currency) external view returns (uint256) {
        return minRates[id][method][currency];
    }

    /// The rate that a buyer has to offer at least; 0 while the feed says none.
    function getEffectiveRate(uint256 id, bytes32 method, bytes32 currency) external view returns (uint256) {
        uint256 least = minRates[id][method][currency];
        OracleRateConfig storage oracle = oracles[id][method][currency];
        if (oracle.adapter == address(0)) return least;
        try IRateAdapter(oracle.adapter).getRate(oracle.adapterConfig) returns (
            bool valid, uint256 market, uint256 updatedAt
        ) {
            if (!valid || block.timestamp > updatedAt + oracle.maxStaleness) return 0;
            uint256 rate = (market * uint256(10_000 + int256(oracle.spreadBps))) / 10_000;
            return rate > least ? rate : least;
        } catch {
            return 0;
        }
    }

    function getExpiredIntents(uint256 id)
        public
        view
        returns (bytes32[] memory expiredIntents, uint256 reclaimableAmount)
    {
        bytes32[] storage all = hashes[id];
        expiredIntents = new bytes32[](all.length);
        uint256 count;
        for (uint256 i = 0; i < all.length; ++i) {
            Intent storage intent = intents[id][all[i]];
            if (intent.expiryTime >= block.timestamp) continue;
            expiredIntents[count++] = all[i];
            reclaimableAmount += intent.amount;
        }
        assembly {
            mstore(expiredIntents, count)
        }
    }

    function open(address depositor, CreateDepositParams calldata params) private {
        checkShape(params);
        uint256 id = depositCounter++;
        deposits[id] = Deposit({
            depositor: depositor,
            delegate: params.delegate,
            token: params.token,
            intentAmountRange: params.intentAmountRange,
            acceptingIntents: true,
            remainingDeposits: params.amount,
            outstandingIntentAmount: 0,
            intentGuardian: params.intentGuardian,
            retainOnEmpty: params.retainOnEmpty
        });
        emit DepositReceived(
            id,
            depositor,
            params.token,
            params.amount,
            params.intentAmountRange,
            params.delegate,
            params.intentGuardian
        );
        for (uint256 i = 0; i < params.paymentMethods.length; ++i) {
            addMethod(id, params.paymentMethods[i], params.paymentMethodData[i], params.currencies[i]);
        }
        params.token.safeTransferFrom(msg.sender, address(this), params.amount);
    }

    function checkShape(CreateDepositParams calldata params) private pure {
        Range calldata range = params.intentAmountRange;
        uint256 count = params.paymentMethods.length;
        if (range.min == 0) revert ZeroMinValue();
        if (range.min > range.max) revert InvalidRange(range.min, range.max);
        if (params.amount < range.min) revert AmountBelowMin(params.amount, range.min);
        if (count != params.paymentMethodData.length) revert ArrayLengthMismatch(count, params.paymentMethodData.length);
        if (count != params.currencies.length) revert ArrayLengthMismatch(count, params.currencies.length);
    }

    function addMethod(uint256 id, bytes32 method, DepositPaymentMethodData calldata data, Currency[] calldata list)
        private
    {
        if (data.payeeDetails == 0) revert EmptyPayeeDetails();
        methods[id].push(method);
        methodData[id][method] = data;
        emit DepositPaymentMethodAdded(id, method, data.payeeDetails, data.intentGatingService);
        for (uint256 i = 0; i < list.length; ++i) addCurrency(id, method, list[i]);
    }

    function addCurrency(uint256 id, bytes32 method, Currency calldata currency) private {
        bytes32 code = currency.code;
        if (!served[method][code]) revert CurrencyNotSupported(method, code);
        if (currency.minConversionRate == 0) revert ZeroConversionRate();
        currencies[id][method].push(code);
        minRates[id][method][code] = currency.minConversionRate;
        emit DepositCurrencyAdded(id, method, code, currency.minConversionRate);
        OracleRateConfig calldata oracle = currency.oracleRateConfig;
        if (oracle.adapter == address(0)) return;
        oracles[id][method][code] = oracle;
        emit DepositOracleRateConfigSet(
            id, method, code, oracle.adapter, oracle.adapterConfig, oracle.spreadBps, oracle.maxStaleness
        );
    }

    function existing(uint256 id) private view returns (Deposit storage deposit) {
        deposit = deposits[id];
        if (deposit.depositor == address(0)) revert DepositNotFound(id);
    }

    function owned(uint256 id) private view returns (Deposit storage deposit) {
        deposit = existing(id);
        if (deposit.depositor != msg.sender) revert UnauthorizedCaller(msg.sender, deposit.depositor);
    }

    function demandLiquidity(Deposit storage deposit, uint256 id, uint256 amount) private view {
        uint256 left = deposit.remainingDeposits;
        if (left < amount) revert InsufficientDepositLiquidity(id, left, amount);
    }

    function drop(uint256 id, bytes32 hash) private returns (uint256 amount) {
        amount = intents[id][hash].amount;
        if (amount == 0) revert IntentNotFound(hash);
        delete intents[id][hash];
        bytes32[] storage all = hashes[id];
        for (uint256 i = 0; i < all.length; ++i) {
            if (all[i] != hash) continue;
            all[i] = all[all.length - 1];
            all.pop();
            break;
        }
    }

    function reclaim(Deposit storage deposit, uint256 id) private {
        (bytes32[] memory expired, uint256 amount) = getExpiredIntents(id);
        if (expired.length == 0) return;
        deposit.remainingDeposits += amount;
        deposit.outstandingIntentAmount -= amount;
        for (uint256 i = 0; i < expired.length; ++i) emit FundsUnlocked(id, expired[i], drop(id, expired[i]));
        try IPrunesIntents(orchestrator).pruneIntents(expired) {} catch {}
    }

    /// A rest below the threshold goes to the protocol, not to the seller.
    function closeIfDone(Deposit storage deposit, uint256 id) private {
        uint256 left = deposit.remainingDeposits;
        if (deposit.outstandingIntentAmount > 0 || left > dustThreshold || deposit.retainOnEmpty) return;
        (IERC20 token, address depositor) = (deposit.token, deposit.depositor);
        delete deposits[id];
        emit DepositClosed(id, depositor);
        if (left == 0) return;
        token.safeTransfer(dustRecipient, left);
        emit DustCollected(id, left, dustRecipient);
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {ICashEscrow} from "./ICashEscrow.sol";

/// Buyers' intents: signal, cancel, fulfil by a witness's attestation, release by hand. Written for local chains from the
/// published ABI of Peer's OrchestratorV3. Left out: hooks, fees, relayers, registries.
contract CashOrchestrator is ReentrancyGuard {
    using SafeERC20 for IERC20;

    struct ReferralFee {
        address recipient;
        uint256 fee;
    }

    struct SignalIntentParams {
        address escrow;
        uint256 depositId;
        uint256 amount;
        address to;
        bytes32 paymentMethod;
        bytes32 fiatCurrency;
        uint256 conversionRate;
        ReferralFee[] referralFees;
        bytes gatingServiceSignature;
        uint256 signatureExpiration;
        address postIntentHook;
        bytes preIntentHookData;
        bytes data;
    }

    struct FulfillIntentParams {
        bytes paymentProof;
        bytes32 intentHash;
        bytes verificationData;
        bytes postIntentHookData;
    }

    struct Intent {
        address owner;
        address to;
        address escrow;
        uint256 depositId;
        uint256 amount;
        uint256 timestamp;
        bytes32 paymentMethod;
        bytes32 fiatCurrency;
        uint256 conversionRate;
        bytes32 payeeId;
        ReferralFee[] referralFees;
        address postIntentHook;
        bytes data;
    }

    struct PaymentAttestation {
        bytes32 intentHash;
        uint256 releaseAmount;
        bytes32 dataHash;
        bytes[] signatures;
        bytes data;
        bytes metadata;
    }

    event IntentSignaled(bytes32 indexed intentHash, address indexed escrow, uint256 indexed depositId, bytes32 paymentMethod, address owner, address to, uint256 amount, bytes32 fiatCurrency, uint256 conversionRate, uint256 timestamp);
    event IntentPruned(bytes32 indexed intentHash);
    event IntentFulfilled(bytes32 indexed intentHash, address indexed fundsTransferredTo, uint256 amount, bool isManualRelease);

    error AccountHasActiveIntent(address account, bytes32 existingIntent);
    error EscrowNotWhitelisted(address escrow);
    error IntentNotFound(bytes32 intentHash);
    error InvalidSignature();
    error PaymentVerificationFailed();
    error RateBelowMinimum(uint256 rate, uint256 minRate);
    error SignatureExpired(uint256 expiration, uint256 currentTime);
    error UnauthorizedCaller(address caller, address authorized);

    /// Hashes of intents are elements of this field, because proofs of payment hold them.
    uint256 private constant FIELD = 21888242871839275222246405745257275088548364400416034343698204186575808495617;
    bytes32 private constant ATTESTATION =
        keccak256("PaymentAttestation(bytes32 intentHash,uint256 releaseAmount,bytes32 dataHash)");
    bytes32 private constant DOMAIN =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    uint256 public intentCounter;
    address private immutable allowedEscrow;
    address private immutable witness;
    bytes32 private immutable domain;
    mapping(bytes32 intentHash => Intent) private intents;
    mapping(address account => bytes32 intentHash) private active;
    mapping(bytes32 dataHash => bool) private spentPayments;

    constructor(address escrow, address witness_) {
        allowedEscrow = escrow;
        witness = witness_;
        domain = keccak256(
            abi.encode(DOMAIN, keccak256("UnifiedPaymentVerifier"), keccak256("1"), block.chainid, address(this))
        );
    }

    function signalIntent(SignalIntentParams calldata params) external nonReentrant {
        if (params.escrow != allowedEscrow) revert EscrowNotWhitelisted(params.escrow);
        if (active[msg.sender] != 0) revert AccountHasActiveIntent(msg.sender, active[msg.sender]);
        ICashEscrow escrow = ICashEscrow(params.escrow);
        ICashEscrow.DepositPaymentMethodData memory method =
            escrow.getDepositPaymentMethodData(params.depositId, params.paymentMethod);
        uint256 rate = escrow.getEffectiveRate(params.depositId, params.paymentMethod, params.fiatCurrency);
        if (rate == 0 || params.conversionRate < rate) revert RateBelowMinimum(params.conversionRate, rate);
        if (method.intentGatingService != address(0)) demandPermit(params, method.intentGatingService);
        bytes32 hash = bytes32(uint256(keccak256(abi.encodePacked(address(this), intentCounter++))) % FIELD);
        remember(hash, params, method.payeeDetails);
        emit IntentSignaled(
            hash,
            params.escrow,
            params.depositId,
            params.paymentMethod,
            msg.sender,
            params.to,
            params.amount,
            params.fiatCurrency,
            params.conversionRate,
            block.timestamp
        );
        escrow.lockFunds(params.depositId, hash, params.amount);
    }

    function cancelIntent(bytes32 hash) external nonReentrant {
        Intent storage intent = existing(hash);
        if (intent.owner != msg.sender) revert UnauthorizedCaller(msg.sender, intent.owner);
        (address escrow, uint256 id) = (intent.escrow, intent.depositId);
        prune(hash);
        ICashEscrow(escrow).unlockFunds(id, hash);
    }

    function fulfillIntent(FulfillIntentParams calldata params) external nonReentrant {
        existing(params.intentHash);
        PaymentAttestation memory proof = abi.decode(params.paymentProof, (PaymentAttestation));
        bytes32 digest = MessageHashUtils.toTypedDataHash(
            domain, keccak256(abi.encode(ATTESTATION, proof.intentHash, proof.releaseAmount, proof.dataHash))
        );
        bool isGood = proof.intentHash == params.intentHash && proof.dataHash == keccak256(proof.data)
            && !spentPayments[proof.dataHash] && proof.signatures.length == 1
            && ECDSA.recover(digest, proof.signatures[0]) == witness;
        if (!isGood) revert PaymentVerificationFailed();
        spentPayments[proof.dataHash] = true;
        release(params.intentHash, proof.releaseAmount, false);
    }

    /// The seller lets the buyer have it without a proof.
    function releaseFundsToPayer(bytes32 hash) external nonReentrant {
        Intent storage intent = existing(hash);
        address depositor = ICashEscrow(intent.escrow).getDeposit(intent.depositId).depositor;
        if (depositor != msg.sender) revert UnauthorizedCaller(msg.sender, depositor);
        release(hash, intent.amount, true);
    }

    /// The escrow passes the intents that have expired.
    function pruneIntents(bytes32[] calldata list) external {
        for (uint256 i = 0; i < list.length; ++i) {
            Intent storage intent = intents[list[i]];
            if (intent.timestamp != 0 && intent.escrow == msg.sender) prune(list[i]);
        }
    }

    /// The account's signaled intent that is neither paid nor given up: one at most.
    function getAccountIntents(address account) external view returns (bytes32[] memory list) {
        if (active[account] == 0) return list;
        list = new bytes32[](1);
        list[0] = active[account];
    }

    function getIntent(bytes32 hash) external view returns (Intent memory) {
        return intents[hash];
    }

    function demandPermit(SignalIntentParams calldata params, address service) private view {
        if (params.signatureExpiration < block.timestamp) {
            revert SignatureExpired(params.signatureExpiration, block.timestamp);
        }
        bytes memory who = abi.encodePacked(address(this), params.escrow, params.depositId, params.amount, params.to);
        bytes memory how = abi.encodePacked(
            params.paymentMethod,
            params.fiatCurrency,
            params.conversionRate,
            params.signatureExpiration,
            block.chainid
        );
        bytes32 said = MessageHashUtils.toEthSignedMessageHash(keccak256(bytes.concat(who, how)));
        if (!SignatureChecker.isValidSignatureNow(service, said, params.gatingServiceSignature)) {
            revert InvalidSignature();
        }
    }

    function remember(bytes32 hash, SignalIntentParams calldata params, bytes32 payee) private {
        Intent storage intent = intents[hash];
        intent.owner = msg.sender;
        intent.to = params.to;
        intent.escrow = params.escrow;
        intent.depositId = params.depositId;
        intent.amount = params.amount;
        intent.timestamp = block.timestamp;
        intent.paymentMethod = params.paymentMethod;
        intent.fiatCurrency = params.fiatCurrency;
        intent.conversionRate = params.conversionRate;
        intent.payeeId = payee;
        active[msg.sender] = hash;
    }

    function release(bytes32 hash, uint256 wanted, bool isManual) private {
        Intent storage intent = intents[hash];
        (address escrow, uint256 id, address to) = (intent.escrow, intent.depositId, intent.to);
        uint256 amount = wanted > intent.amount ? intent.amount : wanted;
        IERC20 token = ICashEscrow(escrow).getDeposit(id).token;
        prune(hash);
        ICashEscrow(escrow).unlockAndTransferFunds(id, hash, amount, address(this));
        token.safeTransfer(to, amount);
        emit IntentFulfilled(hash, to, amount, isManual);
    }

    function existing(bytes32 hash) private view returns (Intent storage intent) {
        intent = intents[hash];
        if (intent.timestamp == 0) revert IntentNotFound(hash);
    }

    function prune(bytes32 hash) private {
        delete active[intents[hash].owner];
        delete intents[hash];
        emit IntentPruned(hash);
    }
}
